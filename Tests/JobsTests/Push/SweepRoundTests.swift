import JobKit
import Jobs
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import Testing

@Suite("Sweep push outcomes, however it is run")
struct SweepRoundTests {
  private let scene: PushScene

  init() throws {
    scene = try PushScene()
    for learner in 1...4 {
      try scene.add(learner: learner)
      try scene.plan(learner)
    }
    try scene.run("UPDATE learning.notifications SET state = 'sent', sent_at = due_at")
    try scene.run(
      """
      INSERT INTO learning.notification_events (user_id, local_day, event, at)
      SELECT n, '2026-03-01', 'push_opened', '2026-03-01T11:05:00Z' FROM generate_series(1, 3) AS n
      """)
    scene.stage.clock.turn(to: try Instant("2026-03-01T15:25:00Z"))
  }

  private func sweep(_ arguments: [String: String] = [:], chunk: Int = 2000) throws -> RunRecord {
    try scene.stage.run(
      SweepPushOutcomes(rules: SweepRules(chunk: chunk)), arguments: arguments)
  }

  @Test func `it says whom it is about to touch, and a dry run what would become of some pushes`()
    throws
  {
    let report = try scene.stage.dryRun(SweepPushOutcomes())

    #expect(report.planned == 4)
    #expect(
      report.progress.examples == [
        "learner 1, push of 2026-03-01: would be opened",
        "learner 2, push of 2026-03-01: would be opened",
        "learner 3, push of 2026-03-01: would be opened",
        "learner 4, push of 2026-03-01: would be ignored",
      ])
  }

  @Test func `a run that fails halfway goes on with the learners after the last one`() throws {
    try scene.run(
      """
      ALTER TABLE learning.notifications
      ADD CONSTRAINT broken CHECK (user_id <> 3 OR state <> 'opened') NOT VALID
      """)
    let failed = try sweep(chunk: 1)
    let cursor = try scene.stage.text("SELECT cursor FROM jobkit.part")
    try scene.run("ALTER TABLE learning.notifications DROP CONSTRAINT broken")
    try scene.stage.pass(.seconds(60))

    try scene.stage.goOn(with: SweepPushOutcomes(rules: SweepRules(chunk: 1)))

    #expect(failed.state != .succeeded)
    #expect(cursor.hasPrefix("taps ") && cursor.hasSuffix(" 2"))
    #expect(try scene.states() == "ignored 1, opened 3")
    #expect(try scene.stage.record(of: failed.id).counters["opened"] == 3)
  }

  @Test func `a full run reads every tap again, and any other only what is new`() throws {
    _ = try sweep()
    try scene.run(
      "UPDATE learning.notifications SET state = 'ignored', ended_at = due_at WHERE user_id = 2")
    scene.stage.clock.turn(to: try Instant("2026-03-03T00:00:00Z"))
    // Whoever else works on this server may have kept the run from passing the transactions before it.
    try scene.run("UPDATE learning.watermarks SET seen_in = pg_current_xact_id()::text::bigint")

    _ = try sweep()
    let usual = try scene.state(of: 2)
    _ = try sweep(["full": "true"])

    #expect(usual == "ignored")
    #expect(try scene.state(of: 2) == "opened")
  }
}
