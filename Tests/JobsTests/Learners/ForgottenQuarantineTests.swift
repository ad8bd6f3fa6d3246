@testable import JobKit
@testable import Ledger

import Jobs
import LocalTime
import Migrations
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("What was put aside of a learner who is deleted")
struct ForgottenQuarantineTests {
  private func stage() throws -> Stage {
    let stage = try Stage(at: "2026-03-10T16:00:00Z", with: .learning)
    for learner in 1...3 { try stage.addLearner(learner) }
    return stage
  }

  private func putAside(_ learners: Int..., on stage: Stage) throws {
    for learner in learners {
      try stage.connection.run(
        """
        INSERT INTO learning.quarantine (user_id, source, row_key, reason, found_at, found_by)
        VALUES (\(learner), 'sessions', '1', 'ends_before_it_starts', '2026-03-10T12:00:00Z', 'test')
        """)
    }
  }

  private func left(on stage: Stage) throws -> String {
    try stage.text(
      """
      SELECT coalesce(string_agg(user_id::text, ' ' ORDER BY user_id), '') FROM learning.quarantine
      """)
  }

  @Test func `goes with the learner, and that of others stays`() throws {
    let stage = try stage()
    try putAside(1, 2, 3, on: stage)

    try stage.connection.run("DELETE FROM learning.users WHERE user_id IN (1, 3)")

    #expect(try left(on: stage) == "2")
  }

  @Test func `is not written once the learner is gone, and that of others is in the same run`()
    throws
  {
    let stage = try stage()
    try stage.connection.run("UPDATE learning.users SET zone = 'Mars/Base'")
    let app = try stage.held(by: "DELETE FROM learning.users WHERE user_id = 1", then: "SELECT 1")

    let run = try stage.run(ScheduleDailyPush())
    try app.value()

    #expect(run.state == .succeeded && run.counters["quarantined"] == 2)
    #expect(try stage.count("SELECT sum(failures + worker_losses) FROM jobkit.part") == 0)
    #expect(try left(on: stage) == "2 3")
  }

  @Test func `is not written of sessions, either, that were new when the run began`() throws {
    let stage = try stage()
    for learner in 1...3 {
      try stage.score(
        learner, 1, at: "2026-03-10T12:00:00Z", on: "2026-03-10", SampleSession(minutes: -10))
    }
    let app = try stage.held(by: "DELETE FROM learning.users WHERE user_id = 1", then: "SELECT 1")

    let run = try stage.run(DetectStreakBreaks())
    try app.value()

    #expect(run.state == .succeeded && run.counters["quarantined"] == 2)
    #expect(try stage.count("SELECT sum(failures + worker_losses) FROM jobkit.part") == 0)
    #expect(try left(on: stage) == "2 3")
  }
}
