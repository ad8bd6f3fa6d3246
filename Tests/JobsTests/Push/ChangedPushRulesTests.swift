import JobKit
import Ledger
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

/// When to look at a learner next is written down ahead, and nothing that a setting says is news of one.
@Suite("A setting of the daily push that changes")
struct ChangedPushRulesTests {
  @Test func `moves the next look at each learner when everyone is looked at`() throws {
    // It is 06:00 in Seoul; the window of a first push begins at 19:00 there, and then at 08:00.
    let stage = try PushStage(at: "2026-02-28T21:00:00Z")
    try stage.add(1)
    _ = try stage.run()
    let looks: Statement =
      "SELECT to_char(look_at AT TIME ZONE 'UTC', 'HH24:MI') FROM learning.push_agenda"
    let before = try stage.stage.text(looks)
    var rules = stage.job.rules
    rules.firstMinute = 8 * 60
    stage.stage.clock.turn(to: try Instant("2026-02-28T21:05:00Z"))

    let run = try stage.stage.run(ScheduleDailyPush(rules: rules), arguments: ["full": "true"])

    #expect(run.state == .succeeded && before == "10:00")
    #expect(try stage.stage.text(looks) == "23:00")
  }
}
