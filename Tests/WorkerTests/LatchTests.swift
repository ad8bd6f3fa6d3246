import TestSupport
import Testing

@testable import WorkerProgram

@Suite("What happens once")
struct LatchTests {
  @Test func `all who wait for it go on, and nobody waits for it ever after`() throws {
    let latch = Latch()
    let waiting = (0..<2).map { _ in TestThread { latch.happens(within: .hang) } }
    let before = latch.happens(within: .zero)

    latch.happen()
    latch.happen()
    latch.wait()

    #expect(!before && latch.happens(within: .zero))
    #expect(try waiting.allSatisfy { try $0.value() })
  }

  @Test func `what never happens is waited for up to the limit, and may be forgotten`() {
    #expect(!Latch().happens(within: .milliseconds(1)))
  }
}
