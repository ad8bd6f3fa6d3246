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
    try stage.addSessions(1...3000, each: 10, until: "2026-03-11T03:00:00Z", seed: 1)
    _ = try stage.run(RefreshLeaderboard())
    try stage.connection.run("ANALYZE")
  }

  @Test func `a board is marked in the order of the index alone, on from its last entry`() throws {
    let last = BoardMark(
      place: 1, rank: 1, behind: -20, missed: -0.5, reachedAt: try stage.now, user: 1)
    let version = BoardVersion(number: 1)
    let fill = BoardFill(version: version, index: 0, last: last, stride: 128)
    let entries = ShownEntries(period: "all", category: "overall", version: version)

    let plan = try stage.plan(of: fill.statement(100, of: "all_time", entries))

    #expect(plan.contains("Index Only Scan using entries_in_order"), "\(plan)")
    #expect(plan.contains("ROW(behind, missed, reached_at, user_id)"), "\(plan)")
    #expect(!plan.contains("Seq Scan"), "\(plan)")
  }

  @Test func `scores are added up from the sessions of the learners alone`() throws {
    let scores = Scores(asOf: try stage.now)

    let plan = try stage.plan(
      of: scores.statement(for: Array(1...20), in: BoardVersion(number: 2)))

    #expect(plan.contains("sessions_pkey") || plan.contains("completed_sessions"), "\(plan)")
    #expect(!plan.contains("Seq Scan on sessions"), "\(plan)")
    #expect(!plan.contains("Seq Scan on leaderboard_entries"), "\(plan)")
    #expect(plan.contains("Full Join"), "each score is compared with each entry: \(plan)")
  }

  @Test func `a first refresh does not read all entries for each chunk`() throws {
    try stage.connection.run(
      "DELETE FROM pg_statistic WHERE starelid = 'learning.leaderboard_entries'::regclass")
    let scores = Scores(asOf: try stage.now)

    let plan = try stage.connection.transaction { connection in
      try connection.run(PlanSettings.byIndex)
      return try stage.plan(
        of: scores.statement(for: Array(1...2000), in: BoardVersion(number: 1)))
    }

    #expect(!plan.contains("Seq Scan on leaderboard_entries"), "\(plan)")
  }

  @Test(arguments: [
    "SELECT * FROM learning.leaderboard_top WHERE board = 'all_time' AND category = 'overall'",
    "SELECT * FROM learning.leaderboard_places('all_time', 'overall', 1500, 1600)",
    """
    SELECT around.* FROM learning.leaderboard_places('all_time', 'overall', 2500, 2500) AS learner,
      learning.leaderboard_around(learner.user_id, 'all_time', 'overall', 3) AS around
    """,
  ])
  func `a reader looks at few pages of a board, wherever`(query: String) throws {
    try stage.connection.run("VACUUM ANALYZE learning.leaderboard_entries")
    // The first calls plan, and read what is known of tables.
    for _ in 1...2 { try stage.connection.run(Statement(verbatim: query)) }

    let explained = try stage.connection.run(
      Statement(verbatim: "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) \(query)"))

    let pages = try pages(in: explained.map { try $0[0] })
    #expect((1...600).contains(pages), "\(pages)")
    #expect(try stage.count("SELECT count(*) FROM learning.leaderboard_entries") > 10_000)
  }

  /// How many pages a statement has read, as its plan says in its first line about them.
  private func pages(in lines: [String]) throws -> Int {
    let line = try #require(lines.first { $0.contains("Buffers: shared hit=") })
    return try #require(Int(line.drop { $0 != "=" }.dropFirst().prefix { $0.isNumber }))
  }
}
