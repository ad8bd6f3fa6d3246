import JobKit
import Jobs
import Ledger
import LocalTime
import Postgres
import TestKit
import Testing

/// A tap may be read while its push is still in a deliverer's hands, and does not count yet then.
@Suite("Taps that come before their push counts as sent")
struct EarlyTapTests {
  private let scene: PushScene

  init() throws {
    scene = try PushScene()
    try scene.addDue(1...1)
    try scene.run("UPDATE learning.notifications SET state = 'sending', owner = '1/0'")
    try scene.run(
      """
      INSERT INTO learning.notification_events (user_id, local_day, event, at)
      VALUES (1, '2026-03-01', 'push_opened', '2026-03-01T11:05:00Z')
      """)
  }

  private func sweep(at text: String) throws -> (opened: Int, ignored: Int) {
    scene.stage.clock.turn(to: try Instant(text))
    let counters = try scene.stage.run(SweepPushOutcomes()).counters
    return (counters["opened"], counters["ignored"])
  }

  @Test(arguments: ["sent", "uncertain"])
  func `what was tapped is opened when its day is over, and never ignored`(state: String) throws {
    let early = try sweep(at: "2026-03-01T12:25:00Z")
    #expect(early == (0, 0))
    #expect(try scene.state() == "sending")

    try scene.run(
      """
      UPDATE learning.notifications SET state = \(state), owner = NULL, sent_at = due_at,
        reason = CASE WHEN \(state) = 'uncertain' THEN 'worker_lost' END
      """)
    let late = try sweep(at: "2026-03-01T15:25:00Z")

    #expect(late == (1, 0))
    #expect(try scene.state() == "opened" && scene.events() == "push_opened")
    #expect(
      try scene.stage.text(
        "SELECT (ended_at = '2026-03-01T11:05:00Z')::text FROM learning.notifications") == "true")
  }
}
