@testable import JobKit
@testable import Ledger

import Jobs
import LocalTime
import Migrations
import Postgres
import TestKit
import Testing

/// What was put aside because a phone's clock was fast counts after the step that takes up to ten minutes for that.
@Suite("Rows of fast phones in an older schema")
struct ClockMigrationTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T13:00:00Z")
    try Schema.learning(upTo: 13).migrate(by: "test", at: stage.now, on: stage.connection)
  }

  /// A session and an answer that arrived twenty seconds before they were, by the phone's clock, and one of each
  /// that arrived an hour before.
  ///
  /// All of them are put aside, and lie behind what reviews have read.
  private func fill() throws {
    try stage.connection.run(
      script: """
        INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
        SELECT n, 'Ana', 'UTC', '2026-01-01Z', '2026-01-01Z' FROM generate_series(1, 2) AS n;
        INSERT INTO learning.patterns (pattern_id, code, name_ko, name_en) VALUES (1, 'one', 'one', 'one');
        INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at, ended_at,
          completed, local_day, accuracy, first_try_rate, hint_rate, score, source, server_received_at)
        SELECT n, 7, gen_random_uuid(), 'people', '2026-03-01 11:50Z', ended_at, true, '2026-03-01', 1, 1, 0, 10,
          'online', '2026-03-01 12:00Z'
        FROM (VALUES (1, '2026-03-01 12:00:20Z'::timestamptz), (2, '2026-03-01 13:00Z')) AS row (n, ended_at);
        INSERT INTO learning.attempts (user_id, attempt_id, pattern_id, correct, hint_used, first_try,
          answered_at, received_at)
        SELECT user_id, 8, 1, true, false, true, ended_at, server_received_at FROM learning.sessions;
        INSERT INTO learning.quarantine
        SELECT user_id, source, row_key, 'ahead', '2026-03-01 12:15Z', 'test' FROM learning.users,
          (VALUES ('sessions', '7'), ('attempts', '8')) AS line (source, row_key);
        """)
    try stage.connection.run(
      """
      INSERT INTO learning.watermarks
      VALUES ('recommend_review', 1, 0, '2026-03-01T12:30:00Z', pg_current_xact_id()::text::bigint + 1)
      """)
  }

  @Test func `are put aside no more, and are news to the jobs`() throws {
    try fill()

    try Schema.learning.migrate(by: "test", at: stage.now, on: stage.connection)
    let run = try stage.run(RecommendReview())

    #expect(run.counters["learners"] == 1)
    #expect(
      try stage.text(
        "SELECT string_agg(concat_ws(' ', user_id, source, row_key), ', ' ORDER BY source) FROM learning.quarantine"
      ) == "2 attempts 8, 2 sessions 7")
    #expect(
      try stage.text("SELECT string_agg(user_id::text, ' ') FROM learning.pattern_conquest") == "1")
  }
}
