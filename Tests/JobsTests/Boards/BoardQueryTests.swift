import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

@Suite("How boards are made and read")
struct BoardQueryTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-11T04:00:00Z", with: .learning)
    try stage.connection.run(
      """
      INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
      SELECT n, 'learner', 'Asia/Seoul', '2026-01-01Z', '2026-01-01Z' FROM generate_series(1, 3000) AS n
      """)
    try stage.addSessions(3000, each: 10, until: "2026-03-11T03:00:00Z", seed: 1)
    _ = try stage.run(RefreshLeaderboard())
    try stage.connection.run("ANALYZE")
  }

  @Test func `a board is written in the order of the index, on from its last entry`() throws {
    let now = try stage.now
    let version = BoardVersion(
      asOf: now, week: CalendarWeek(containing: Zone.utc.localDay(of: now)), expiresAt: now)
    let last = BoardFill.Entry(
      place: 1, rank: 1, score: 20, accuracy: 0.5, reachedAt: now, user: 1)
    let fill = BoardFill(version: version, index: 0, last: last)

    let plan = try stage.plan(of: fill.statement(100, of: "all_time", "overall", in: "all"))

    #expect(plan.contains("Index Scan using scores_in_order on scores"), "\(plan)")
    #expect(plan.contains("ROW((- score), (- accuracy), reached_at, user_id)"), "\(plan)")
  }

  @Test func `scores are added up from the sessions of the learners alone`() throws {
    let plan = try stage.plan(
      of: Scores(asOf: try stage.now).statement(for: Array(1...20)))

    #expect(plan.contains("sessions_pkey") || plan.contains("completed_sessions"), "\(plan)")
    #expect(!plan.contains("Seq Scan on sessions"), "\(plan)")
  }

  @Test func `the top of a board is read by place, and neighbours by the learner`() throws {
    let top = try stage.plan(
      of: """
        SELECT * FROM learning.leaderboard_top
        WHERE board = 'weekly' AND category = 'overall' AND place <= 10
        """)
    let around = try stage.plan(
      of: "SELECT * FROM learning.leaderboard_around(17, 'all_time', 'overall', 3)")

    #expect(top.contains("leaderboard_entries_pkey"), "\(top)")
    #expect(around.contains("entries_of_learner"), "\(around)")
    #expect(!around.contains("Seq Scan on leaderboard_entries"), "\(around)")
  }
}
