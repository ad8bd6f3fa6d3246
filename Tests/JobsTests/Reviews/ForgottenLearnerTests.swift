@testable import JobKit

import Jobs
import LocalTime
import Migrations
import Postgres
import TestKit
import TestSupport
import Testing

/// No key holds measures and reviews to their learners; those who have any are held, and that has to come to the same.
@Suite("Measures and reviews of a learner who is deleted")
struct ForgottenLearnerTests {
  private let stage: Stage

  init() throws {
    stage = try Stage.withPatterns(at: "2026-03-10T16:00:00Z")
    for learner in 1...3 { try stage.addLearner(learner) }
  }

  private func measure(_ learner: Int, at pattern: Int) -> Statement {
    """
    INSERT INTO learning.pattern_conquest (user_id, pattern_id, ewma, hint_rate, first_try_rate, conquest, trend,
      attempts, measured_at)
    VALUES (\(learner), \(pattern), 1, 0, 1, 1, 'steady', 5, '2026-03-10T16:00:00Z')
    """
  }

  private func review(_ learner: Int) -> Statement {
    """
    INSERT INTO learning.reviews (user_id, local_day, rank, pattern_id, difficulty, sentences, locked, conquest, at)
    VALUES (\(learner), '2026-03-10', 1, 1, 'basic', 5, false, 0.2, '2026-03-10T16:00:00Z')
    """
  }

  private func delete(_ learner: Int) -> Statement {
    "DELETE FROM learning.users WHERE user_id = \(learner)"
  }

  /// The learners of whom there is something, of each table.
  private func left() throws -> String {
    try stage.text(
      """
      SELECT concat_ws('; ',
        (SELECT string_agg(DISTINCT user_id::text, ' ') FROM learning.pattern_conquest),
        (SELECT string_agg(DISTINCT user_id::text, ' ') FROM learning.reviews),
        (SELECT string_agg(user_id::text, ' ' ORDER BY user_id) FROM learning.review_learners))
      """)
  }

  @Test func `go with the learner, and those of others stay`() throws {
    try stage.addAttempts(1...3, each: 40, until: "2026-03-10T16:00:00Z", seed: 1)
    _ = try stage.run(RecommendReview())
    let before = try left()

    try stage.connection.run("DELETE FROM learning.users WHERE user_id IN (1, 3)")

    #expect(before == "1 2 3; 1 2 3; 1 2 3")
    #expect(try left() == "2; 2; 2")
  }

  @Test(arguments: [false, true])
  func `go with the learner when they are written at that moment`(isKnown: Bool) throws {
    if isKnown { try stage.connection.run(measure(1, at: 1)) }
    let job = try stage.opened(measure(1, at: 2), review(1))

    let refusal = try stage.refusal(of: delete(1)) { try job.run("COMMIT") }

    #expect(refusal == nil)
    #expect(try left() == "")
  }

  @Test func `go with the learner who had nothing but a review, too`() throws {
    let job = try stage.opened(review(1))

    let refusal = try stage.refusal(of: delete(1)) { try job.run("COMMIT") }

    #expect(refusal == nil)
    #expect(try left() == "")
  }

  @Test(arguments: [false, true])
  func `are refused once the learner is gone`(isKnown: Bool) throws {
    if isKnown { try stage.connection.run(measure(1, at: 1)) }
    let app = try stage.opened(delete(1))

    let refusal = try stage.refusal(of: measure(1, at: 2)) { try app.run("COMMIT") }

    #expect(refusal == "23503")
    #expect(try left() == "")
  }

  @Test(arguments: [false, true])
  func `are not left by a transaction that cannot see them, which fails instead`(
    isKnown: Bool
  ) throws {
    if isKnown { try stage.connection.run(measure(1, at: 1)) }
    let app = try stage.database.connect()
    try app.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
    try app.run("SELECT count(*) FROM learning.users")
    try stage.connection.run(measure(1, at: 2))

    let error = #expect(throws: PostgresError.self) { try app.run(delete(1)) }

    #expect(error?.report?.sqlState == "40001")
    #expect(try left() == "1; 1")
  }
}
