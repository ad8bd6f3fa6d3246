@testable import JobKit

import Jobs
import Migrations
import Postgres
import TestKit
import Testing

@Suite("The schema of the learning app")
struct LearningSchemaTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T10:00:00Z", with: .learning)
  }

  @Test func `every table says what it is for, and leads its key with the learner`() throws {
    let silent = try stage.text(
      """
      SELECT coalesce(string_agg(relname::text, ' ' ORDER BY relname), '')
      FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = 'learning' AND relkind = 'r' AND relname <> 'migration'
        AND obj_description(pg_class.oid, 'pg_class') IS NULL
      """)
    let otherwise = try stage.text(
      """
      SELECT string_agg(relname::text, ' ' ORDER BY relname)
      FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      JOIN pg_namespace ON pg_namespace.oid = relnamespace
      JOIN pg_attribute ON attrelid = pg_class.oid AND attnum = indkey[0]
      WHERE nspname = 'learning' AND indisprimary AND attname <> 'user_id'
      """)

    #expect(silent.isEmpty)
    #expect(otherwise == "leaderboard_marks leaderboards migration patterns watermarks")
  }

  @Test func `an index of ranges sums them up by itself`() throws {
    // What is only added to is hardly ever vacuumed, which does it otherwise.
    let lazy = try stage.text(
      """
      SELECT coalesce(string_agg(relname::text, ' '), '')
      FROM pg_class JOIN pg_am ON pg_am.oid = relam JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = 'learning' AND amname = 'brin'
        AND 'autosummarize=on' <> ALL (coalesce(reloptions, '{}'))
      """)

    #expect(lazy.isEmpty)
  }

  @Test func `the rights of the roles name every table and view`() throws {
    let tables = try stage.connection.run(
      """
      SELECT table_name::text AS name FROM information_schema.tables
      WHERE table_schema = 'learning' ORDER BY 1
      """
    ).map { try $0["name", as: String.self] }

    #expect(tables == Schema.learning.rights.ofWorker.map(\.table).sorted())
  }

  @Test(arguments: [
    ("users", "changed_at"), ("users", "created_at"), ("devices", "registered_at"),
    ("sessions", "server_received_at"), ("attempts", "received_at"),
    ("reward_pending", "received_at"), ("streak_repairs", "accepted_at"),
    ("notification_events", "at"),
  ])
  func `what a server's clock has shown is at some time that a calendar has`(
    table: String, column: String
  ) throws {
    try addOneRowEach()

    for time in ["-infinity", "infinity", "294270-01-01Z", "0044-03-15 00:00Z BC"] {
      let error = #expect(throws: PostgresError.self) {
        try stage.connection.run(
          """
          UPDATE learning.\(identifier: table)
          SET \(identifier: column) = \(time)::text::timestamptz
          """)
      }
      #expect(error?.description.contains("at_some_time") == true)
    }
    try stage.connection.run(
      "UPDATE learning.\(identifier: table) SET \(identifier: column) = '2026-01-02Z'")
  }

  @Test(arguments: [
    ("attempts", "answered_at = '-infinity'"), ("sessions", "local_day = '-infinity'"),
    ("sessions", "category = repeat('x', 201)"),
  ])
  func `what no phone can have meant, and no index can hold, is refused`(
    table: String, change: String
  ) throws {
    try addOneRowEach()

    #expect(throws: PostgresError.self) {
      try stage.connection.run(
        "UPDATE learning.\(identifier: table) SET \(Statement(verbatim: change))")
    }
  }

  /// A learner who has studied once.
  private func addStudy() throws {
    try stage.connection.run(
      script: """
        INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
        VALUES (1, 'Ana', 'Asia/Seoul', '2026-01-01Z', '2026-01-01Z');
        INSERT INTO learning.patterns (pattern_id, code, name_ko, name_en) VALUES (1, 'a', 'a', 'a');
        INSERT INTO learning.attempts VALUES
          (1, 1, 1, true, false, true, '2026-01-02Z', '2026-01-02Z');
        INSERT INTO learning.sessions VALUES
          (1, 1, gen_random_uuid(), 'people', '2026-01-02Z', '2026-01-02Z', true, '2026-01-02', 12, 1, 1, 0,
          10, 'online', '2026-01-02Z');
        """)
  }

  private func addOneRowEach() throws {
    try addStudy()
    try stage.connection.run(
      script: """
        INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at)
        VALUES (1, 1, 'apns', 't', '2026-01-01Z');
        INSERT INTO learning.reward_pending
          (user_id, queue_id, idempotency_key, kind, amount, server_clock, received_at)
        VALUES (1, 1, 'a', 'bonus', 1, '2026-01-02Z', '2026-01-02Z');
        INSERT INTO learning.streaks (user_id, state, length, longest, changed_at)
        VALUES (1, 'none', 0, 0, '2026-01-02Z');
        INSERT INTO learning.streak_repairs VALUES (1, '2026-01-03', 'offered', '2026-01-04Z');
        INSERT INTO learning.notifications (user_id, local_day, state, kind, zone, window_from, window_to,
          due_at, template, planned_at)
        VALUES (1, '2026-01-02', 'planned', 'reminder', 'Asia/Seoul', '2026-01-02Z', '2026-01-03Z',
          '2026-01-02Z', 'basic', '2026-01-02Z');
        INSERT INTO learning.notification_events (user_id, local_day, event, at)
        VALUES (1, '2026-01-02', 'push_opened', '2026-01-02Z');
        """)
  }

  @Test(arguments: ["sessions", "attempts"])
  func `a row of the app that is corrected is written in a later transaction`(
    table: String
  ) throws {
    try addStudy()
    let written: Statement = "SELECT written_in FROM learning.\(identifier: table)"
    let before = try stage.count(written)

    try stage.connection.run("UPDATE learning.\(identifier: table) SET user_id = 1")

    #expect(try stage.count(written) > before)
  }

  @Test func `a changed learner is written in a later transaction`() throws {
    try stage.connection.run(
      script: """
        INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
        VALUES (1, 'Ana', 'Asia/Seoul', '2026-01-01Z', '2026-01-01Z');
        """)
    let before = try stage.count("SELECT written_in FROM learning.users")

    try stage.connection.run("UPDATE learning.users SET zone = 'Asia/Tokyo'")

    #expect(try stage.count("SELECT written_in FROM learning.users") > before)
  }
}
