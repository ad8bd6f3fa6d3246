import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

/// The worked example of docs/sql-jobs.md: what has run out is over.
@Suite("What has run out is over, as jobs of the settings")
struct ExpireSessionsTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-29T12:00:00Z")
    try stage.connection.run(
      script: """
        CREATE SCHEMA app;
        CREATE TABLE app.sign_ins (
          user_id bigint, sign_in_id bigint, expires_at timestamptz, last_activity timestamptz,
          ended_at timestamptz, end_reason text, PRIMARY KEY (user_id, sign_in_id));
        CREATE TABLE app.users (
          user_id bigint PRIMARY KEY, status text, locked_until timestamptz,
          failed_logins bigint DEFAULT 5);
        CREATE TABLE app.sessions (
          user_id bigint, session_id bigint, completed_at timestamptz,
          PRIMARY KEY (user_id, session_id));
        CREATE TABLE app.session_checkpoints (
          user_id bigint, session_id bigint, reached_at timestamptz, received_at timestamptz,
          state text DEFAULT 'open', PRIMARY KEY (user_id, session_id));
        CREATE TABLE app.live_activities (
          user_id bigint, activity_id bigint, session_id bigint, started_at timestamptz,
          last_update_at timestamptz, ended_at timestamptz, end_reason text,
          PRIMARY KEY (user_id, activity_id));
        """)
  }

  /// One of the jobs that the page shows.
  private static func job(_ name: JobName) throws -> Described {
    let blocks = try TextFile.read("docs/sql-jobs.md").split(separator: "```toml\n").dropFirst()
      .compactMap { $0.split(separator: "```").first }
    let page = try #require(blocks.first { $0.contains("[jobs.expire_sign_ins]") })
    return try Described(String(page), named: name)
  }

  private func run(_ name: JobName, with rows: String) throws -> RunRecord {
    try stage.connection.run(script: rows)
    return try stage.run(try Self.job(name))
  }

  @Test func `a sign-in ends at the very instant at which it expired, or was idle for too long`()
    throws
  {
    let run = try run(
      "expire_sign_ins",
      with: """
        INSERT INTO app.sign_ins (user_id, sign_in_id, expires_at, last_activity) VALUES
          (1, 1, '2026-03-29T11:59:59Z', '2026-03-29Z'), (1, 2, '2026-03-29T12:00:01Z', '2026-03-29Z'),
          (2, 1, 'infinity', '2026-02-27T12:00:00Z'), (2, 2, '-infinity', '2026-03-29Z'),
          (3, 1, NULL, '2026-02-27T12:00:01Z'), (4, 1, '2026-04-01Z', 'infinity');
        """)

    #expect(run.counters.text == "changed 2 (expired 1, idle 1)")
    #expect(
      try stage.texts(
        """
        SELECT user_id || '.' || sign_in_id || ' ' || end_reason || ' '
          || to_char(ended_at AT TIME ZONE 'UTC', 'MM-DD HH24:MI:SS')
        FROM app.sign_ins WHERE ended_at IS NOT NULL ORDER BY 1
        """) == ["1.1 expired 03-29 11:59:59", "2.1 idle 03-29 12:00:00"])
  }

  @Test func `a lock that is over is taken off; one by a person, or of who is suspended, stays`()
    throws
  {
    let run = try run(
      "unlock_users",
      with: """
        INSERT INTO app.users (user_id, status, locked_until) VALUES
          (1, 'locked', '2026-03-29T12:00:00Z'), (2, 'locked', NULL), (3, 'suspended', '2026-03-01Z'),
          (4, 'locked', '2026-03-29T12:00:01Z'), (5, 'active', NULL), (6, 'locked', '-infinity');
        """)

    #expect(run.counters["changed"] == 1)
    #expect(
      try stage.texts(
        "SELECT user_id || ' ' || failed_logins FROM app.users WHERE status = 'active' ORDER BY 1")
        == ["1 0", "5 5"])
  }

  @Test func `a clock that is set back unlocks nobody early`() throws {
    try stage.pass(.seconds(-7200))

    let run = try run(
      "unlock_users",
      with: """
        INSERT INTO app.users (user_id, status, locked_until)
        VALUES (1, 'locked', '2026-03-29T10:00:01Z');
        """)

    #expect(run.counters["changed"] == 0)
  }

  @Test func `a lock that is made longer meanwhile stays`() throws {
    try stage.connection.run(
      "INSERT INTO app.users (user_id, status, locked_until) VALUES (1, 'locked', '2026-03-29Z')")
    let other = try stage.database.connect()
    try other.run("BEGIN")
    try other.run("UPDATE app.users SET locked_until = '2026-03-30Z'")
    let job = try Self.job("unlock_users")
    let number = try stage.enter(job)
    let (url, clock) = (stage.database.url, stage.clock)

    let run = TestThread { try Described.work(at: number, with: job, of: url, clock) }
    try stage.awaitLock()
    try other.run("COMMIT")

    #expect(try run.value() == "succeeded: changed 0 rows of app.users")
    #expect(try stage.text("SELECT status FROM app.users") == "locked")
  }

  @Test func `a checkpoint is given up after 24 hours that pass, whatever the clocks show`() throws
  {
    // In Zurich this is 23 hours on the clock, as an hour of the night is left out.
    let run = try run(
      "give_up_checkpoints",
      with: """
        INSERT INTO app.session_checkpoints (user_id, session_id, reached_at, received_at) VALUES
          (1, 1, '2026-03-28T12:00:00Z', '2026-03-28T13:00:00Z'),
          (2, 1, '2026-03-28T12:00:01Z', '2026-03-28T12:00:01Z'),
          (3, 1, '2026-03-28T23:50:00Z', '2026-03-28T23:50:00Z'),
          (4, 1, '2026-03-29T11:00:00Z', '2026-03-29T11:00:00Z'),
          (5, 1, '2026-03-01T11:00:00Z', '2026-03-01T11:00:00Z');
        INSERT INTO app.sessions VALUES
          (4, 2, '2026-03-29T11:30:00Z'), (3, 2, '2026-03-28T23:00:00Z'), (2, 2, '2026-03-29T13:00:00Z');
        -- A completion that came late: what it has done is not undone.
        UPDATE app.session_checkpoints SET state = 'done' WHERE user_id = 5;
        """)

    #expect(run.counters["changed"] == 2)
    #expect(
      try stage.texts(
        "SELECT user_id::text FROM app.session_checkpoints WHERE state = 'abandoned' ORDER BY 1")
        == ["1", "4"])
  }

  @Test func `a live activity ends with its session, in silence, or for its age`() throws {
    let run = try run(
      "end_live_activities",
      with: """
        INSERT INTO app.sessions VALUES (1, 7, '2026-03-29T11:59:00Z');
        INSERT INTO app.live_activities (user_id, activity_id, session_id, started_at, last_update_at)
        VALUES (1, 1, 7, '2026-03-29T11:50:00Z', '2026-03-29T11:59:00Z'),
          (2, 1, 7, '2026-03-29T11:50:00Z', '2026-03-29T11:59:00Z'),
          (3, 1, 7, '2026-03-29T11:00:00Z', '2026-03-29T11:45:00Z'),
          (4, 1, 7, '2026-03-29T04:00:00Z', '2026-03-29T11:59:00Z');
        """)

    #expect(run.counters.text == "changed 3 (completed 1, silent 1, too_old 1)")
  }

  @Test func `why tells of an account what its lock waits for`() throws {
    try stage.connection.run(
      "INSERT INTO app.users (user_id, status, locked_until) VALUES (1, 'locked', '2026-03-29T12:10Z')"
    )

    let lines = try Self.job("unlock_users").explain(
      key: "1", at: stage.now, in: stage.zones, stage.connection
    ).lines

    #expect(
      lines.contains("false: locked_until <= :moment (locked_until is '2026-03-29 12:10:00+00')"))
    #expect(lines.last == "locked until 2026-03-29 12:10:00+00, 5 failed sign-ins")
  }
}
