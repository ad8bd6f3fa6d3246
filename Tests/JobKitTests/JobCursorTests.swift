import Ledger
import LocalTime
import Testing

@Suite("When a scheduler looks at a job again")
struct JobCursorTests {
  private let noon = Instant(secondsSince1970: 1_767_268_800)

  @Test func `it waits after a failure, and then for the next tick`() {
    var cursor = JobCursor(cursor: noon + .seconds(3600), nextTick: noon + .seconds(7200))

    // As a decision does that finds the clock set back and cannot write it.
    cursor.backOff(at: noon)

    #expect(cursor.wakeAt(after: noon) == noon + .seconds(1))
    // The clock has come forward again: there is nothing to decide, and a wait that is over wakes nobody.
    let later = noon + .seconds(3601)
    #expect(!cursor.needsDecision(at: later, isElapsed: true))
    #expect(cursor.wakeAt(after: later) == noon + .seconds(7200))
  }
}
