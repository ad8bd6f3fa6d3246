import JobKit
import Ledger
import Postgres
import Runner
import TestKit
import Testing

@Suite("Purge expired sessions")
struct PurgeExpiredSessionsTests {
  private func stage(sessions: Int) throws -> Stage {
    let stage = try Stage(at: "2026-03-01T03:30:00Z")
    try stage.connection.run(
      script: """
        CREATE TABLE session (id bigint PRIMARY KEY, user_id bigint, ended_at timestamptz);
        INSERT INTO session SELECT n, n % 100, '2026-01-31T00:00:00Z' FROM generate_series(1, \(sessions)) n;
        INSERT INTO session VALUES (0, 0, '2026-02-15T00:00:00Z');
        """)
    return stage
  }

  @Test func `a session a month past its end is deleted, a younger one stays`() throws {
    let stage = try stage(sessions: 2500)

    let run = try stage.run(PurgeExpiredSessions(), arguments: ["batch": "100"])

    #expect(run.state == .succeeded && run.counters["deleted"] == 2500)
    #expect(try stage.text("SELECT string_agg(id::text, ' ') FROM session") == "0")
  }

  @Test func `a run that would delete too many waits for somebody to look`() throws {
    let stage = try stage(sessions: 1_000_001)

    let run = try stage.run(PurgeExpiredSessions())

    #expect(run.state == .held)
    #expect(run.reason == "would touch 1000001, more than 1000000")
    #expect(try stage.count("SELECT count(*) FROM session") == 1_000_002)
  }

  @Test func `a dry run says what it would do and does nothing`() throws {
    let stage = try stage(sessions: 10)

    let report = try stage.dryRun(PurgeExpiredSessions())

    #expect(report.planned == 10 && report.progress.counters["deleted"] == 10)
    #expect(try stage.count("SELECT count(*) FROM session") == 11)
  }

  @Test func `a late run does what it would have done in time`() throws {
    let stage = try stage(sessions: 10)
    try stage.connection.run("UPDATE session SET ended_at = '2026-02-01T12:00:00Z' WHERE id = 1")
    var scheduler = try stage.scheduler(
      ScheduledJob(of: PurgeExpiredSessions().definition, in: stage.zones))

    try stage.pass(.seconds(86_400))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    try stage.pass(.seconds(1800))
    try stage.goOn(with: PurgeExpiredSessions())

    #expect(try stage.runs(of: "purge_expired_sessions") == ["2026-03-02T03:30:00Z succeeded"])
    #expect(try stage.count("SELECT count(*) FROM session") == 1)
  }
}
