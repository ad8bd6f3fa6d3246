@testable import JobKit

import Postgres
import Testing

@Suite("What asks a part to stop")
struct StopSignalTests {
  @Test func `a part that is cut off before it begins finds its statements cancelled`() {
    let stop = StopSignal()

    stop.cut(.drained)

    #expect(stop.asked == .drained)
    #expect(stop.canceller.isCancelled)
  }

  @Test func `a part that is only asked may end the statement that it is at`() {
    let stop = StopSignal()
    let canceller = stop.canceller

    stop.ask(.cancelled)
    let whenAsked = canceller.isCancelled
    stop.cut(.drained)

    #expect(!whenAsked && canceller.isCancelled)
    #expect(stop.asked == .cancelled, "what was asked first stands")
  }

  @Test func `a part that is over has let go of its canceller, and is asked all the same`() {
    let stop = StopSignal()
    let canceller = stop.canceller
    stop.limit(soft: .seconds(3600), hard: .seconds(3600))

    stop.letGo()
    stop.cut(.fenceLost)

    #expect(!canceller.isCancelled && stop.asked == .fenceLost)
  }
}
