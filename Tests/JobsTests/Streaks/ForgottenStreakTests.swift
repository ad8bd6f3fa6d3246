@testable import JobKit

import Jobs
import LocalTime
import Migrations
import Postgres
import TestKit
import TestSupport
import Testing

/// Whoever writes what a streak has gone through has locked the streak, and so not the learner.
@Suite("What a streak has gone through, of a learner who is deleted")
struct ForgottenStreakTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-10T16:00:00Z", with: .learning)
    for learner in 1...3 { try stage.addLearner(learner) }
  }

  private func streak(_ learner: Int) -> Statement {
    """
    INSERT INTO learning.streaks (user_id, state, length, longest, started_on, last_day, changed_at)
    VALUES (\(learner), 'kept', 1, 1, '2026-03-09', '2026-03-09', '2026-03-10T16:00:00Z')
    """
  }

  private func event(_ learner: Int, _ number: Int) -> Statement {
    """
    INSERT INTO learning.streak_events (user_id, number, event, day, cause, length_before, length_after, at)
    VALUES (\(learner), \(number), 'extended', '2026-03-09', 'studied', 0, 1, '2026-03-10T16:00:00Z')
    """
  }

  private func repair(_ learner: Int) -> Statement {
    """
    INSERT INTO learning.streak_repairs (user_id, day, state, offered_at)
    VALUES (\(learner), '2026-03-08', 'offered', '2026-03-10T16:00:00Z')
    """
  }

  private func delete(_ learner: Int) -> Statement {
    "DELETE FROM learning.users WHERE user_id = \(learner)"
  }

  /// The learners of whom there is something, of each table.
  private func left(on stage: Stage) throws -> String {
    try stage.text(
      """
      SELECT concat_ws('; ',
        (SELECT string_agg(DISTINCT user_id::text, ' ') FROM learning.streak_events),
        (SELECT string_agg(DISTINCT user_id::text, ' ') FROM learning.streak_repairs),
        (SELECT string_agg(user_id::text, ' ' ORDER BY user_id) FROM learning.widget_changes))
      """)
  }

  @Test func `goes with the learner, and that of others stays`() throws {
    for learner in 1...3 {
      for statement in [streak(learner), event(learner, 1), repair(learner)] {
        try stage.connection.run(statement)
      }
    }
    let before = try left(on: stage)

    try stage.connection.run("DELETE FROM learning.users WHERE user_id IN (1, 3)")

    #expect(before == "1 2 3; 1 2 3; 1 2 3")
    #expect(try left(on: stage) == "2; 2; 2")
  }

  @Test func `goes with the learner when it is written at that moment`() throws {
    try stage.connection.run(streak(1))
    let job = try stage.opened(
      "SELECT FROM learning.streaks WHERE user_id = 1 FOR UPDATE", repair(1), event(1, 1),
      "UPDATE learning.streaks SET length = 2, longest = 2 WHERE user_id = 1")

    let refusal = try stage.refusal(of: delete(1)) { try job.run("COMMIT") }

    #expect(refusal == nil)
    #expect(try left(on: stage) == "")
  }

  @Test func `is refused once the learner is gone`() throws {
    try stage.connection.run(streak(1))
    let app = try stage.opened(delete(1))

    let refusal = try stage.refusal(of: event(1, 1)) { try app.run("COMMIT") }

    #expect(refusal == "23503")
  }

  @Test func `is not left by a transaction that cannot see it, which fails instead`() throws {
    try stage.connection.run(streak(1))
    let app = try stage.database.connect()
    try app.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
    try app.run("SELECT count(*) FROM learning.users")
    try stage.connection.run(event(1, 1))

    let error = #expect(throws: PostgresError.self) { try app.run(delete(1)) }

    #expect(error?.report?.sqlState == "40001")
  }

  @Test func `of a learner with nothing but tokens no line is left for widgets`() throws {
    try stage.connection.run("INSERT INTO learning.brain_tokens VALUES (1, 1)")
    let before = try left(on: stage)

    try stage.connection.run(delete(1))

    #expect(before == "1")
    #expect(try left(on: stage) == "")
  }
}
