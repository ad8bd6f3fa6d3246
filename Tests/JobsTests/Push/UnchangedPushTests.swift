import JobKit
import Ledger
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

/// The planner and whoever sends pushes work in the same minute.
@Suite("A push that is looked at anew and stays as it is")
struct UnchangedPushTests {
  private let stage: PushStage

  /// Two learners with a push each that begins within minutes; something is new of both.
  init() throws {
    stage = try PushStage(at: "2026-03-01T11:50:00Z")
    for learner in 1...2 {
      try stage.add(learner)
      try stage.study(learner, 1, end: "2026-02-28T20:10")
    }
    _ = try stage.run()
    try stage.stage.connection.run("UPDATE learning.users SET changed_at = '2026-03-01T11:54:00Z'")
  }

  /// The learners whose rows somebody has locked or written over since they were last written.
  private func touched() throws -> String {
    try stage.stage.text(
      """
      SELECT coalesce(string_agg(user_id::text, ' ' ORDER BY user_id) FILTER (WHERE xmax <> 0), '')
      FROM learning.notifications
      """)
  }

  @Test func `is not even locked, as it would be passed over in the last minute of its window`()
    throws
  {
    let run = try stage.run(at: "2026-03-01T11:55:00Z")

    #expect(run.done == 2 && run.counters == Counters())
    #expect(try touched() == "")
  }

  @Test func `does not keep another from being changed, nor from being new`() throws {
    try stage.add(3)
    try stage.study(3, 1, end: "2026-02-28T20:10")
    try stage.stage.connection.run(
      "UPDATE learning.users SET push_opt_in = false WHERE user_id = 1")

    let run = try stage.run(at: "2026-03-01T11:55:00Z")

    #expect(run.counters["revised"] == 1 && run.counters["planned"] == 1)
    #expect(
      try stage.rows() == [
        "1 2026-03-01 reminder suppressed opted_out", "2 2026-03-01 reminder planned",
        "3 2026-03-01 reminder planned",
      ])
    #expect(
      try stage.stage.count(
        "SELECT count(*) FROM learning.notifications WHERE user_id = 2 AND xmax <> 0") == 0)
  }
}
