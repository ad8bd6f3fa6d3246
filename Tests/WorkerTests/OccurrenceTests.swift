import TestSupport
import Testing

@testable import WorkerProgram

@Suite("What happens once")
struct OccurrenceTests {
  @Test func `all who wait for it go on, and nobody waits for it ever after`() throws {
    let occurrence = Occurrence()
    let waiting = (0..<2).map { _ in TestThread { occurrence.happens(within: .hang) } }
    let before = occurrence.happens(within: .zero)

    occurrence.happen()
    occurrence.happen()
    occurrence.wait()

    #expect(!before && occurrence.happens(within: .zero))
    #expect(try waiting.allSatisfy { try $0.value() })
  }

  @Test func `what never happens is waited for up to the limit, and may be forgotten`() {
    #expect(!Occurrence().happens(within: .milliseconds(1)))
  }
}
