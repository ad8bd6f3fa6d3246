@testable import JobKit
@testable import Ledger

import Jobs
import Migrations
import Postgres
import TestKit
import Testing

/// Boards that were made as a copy for each version are the same after the step that does without copies.
@Suite("The boards of an older schema")
struct BoardMigrationTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-11T04:00:00Z")
    try Schema.learning(upTo: 9).migrate(by: "test", at: stage.now, on: stage.connection)
  }

  /// What readers see of the first hundred, and around one who shares a rank further down.
  private func seen() throws -> [String] {
    try stage.connection.run(
      """
      SELECT concat_ws(' ', board, place, rank, user_id, display_name, score)
      FROM learning.leaderboard_top WHERE place <= 100
      UNION ALL SELECT concat_ws(' ', place, rank, user_id, display_name, score)
      FROM learning.leaderboard_around(151, 'weekly', 'overall', 2) ORDER BY 1
      """
    ).map { try $0[0] }
  }

  /// A version that readers see, of 300 learners of whom each third is suspended and many have equal scores.
  private func fill() throws {
    try stage.connection.run(
      script: """
        INSERT INTO learning.users (user_id, display_name, zone, status, created_at, changed_at)
        SELECT n, 'learner ' || n, 'Asia/Seoul', CASE n % 3 WHEN 0 THEN 'suspended' ELSE 'active' END,
          '2026-01-01Z', '2026-01-01Z' FROM generate_series(1, 300) AS n;
        INSERT INTO learning.scores
        SELECT n, period, 'overall', 1 + n % 50, 0.5, '2026-03-10Z'
        FROM generate_series(1, 300) AS n, (VALUES ('all'), ('2026-W11')) AS of (period);
        INSERT INTO learning.leaderboards
        SELECT board, 'overall', 7, period, true, 200, '2026-03-10Z', '2026-03-11Z'
        FROM (VALUES ('weekly', '2026-W11'), ('all_time', 'all')) AS of (board, period);
        INSERT INTO learning.leaderboard_entries
        SELECT board, 'overall', 7, row_number() OVER (PARTITION BY board ORDER BY -score, user_id),
          rank() OVER (PARTITION BY board ORDER BY -score), user_id, display_name, score, accuracy
        FROM learning.scores JOIN learning.users USING (user_id) JOIN learning.leaderboards USING (period)
        WHERE status = 'active';
        """)
  }

  @Test func `are seen as before`() throws {
    try fill()
    let before = try seen()

    try Schema.learning.migrate(by: "test", at: stage.now, on: stage.connection)

    #expect(try seen() == before)
    #expect(before.count == 205)
    #expect(
      try stage.text("SELECT string_agg(DISTINCT entries::text, ' ') FROM learning.leaderboards")
        == "200")
  }

  @Test func `are refreshed like any other: here nobody has studied`() throws {
    try fill()
    try Schema.learning.migrate(by: "test", at: stage.now, on: stage.connection)

    let run = try stage.run(RefreshLeaderboard(), arguments: ["full": "true"])

    #expect(run.counters["scores_changed"] == 400)
    #expect(try stage.count("SELECT count(*) FROM learning.leaderboard_top") == 0)
  }
}
