import JobKit
import Postgres
import TestSupport
import Testing

/// `worker retire` as the owner of the ledger, and as others, meet it.
@Suite("worker retire")
struct RetireCommandTests {
  private let server: PrivateServer
  private let folder: ScratchFolder

  init() throws {
    server = try PrivateServer()
    folder = try ScratchFolder()
    try server.connect().run(
      script: """
        CREATE ROLE app_worker LOGIN;
        CREATE TABLE rehearsal (moment timestamptz, part bigint, chunk bigint);
        """)
    #expect(try worker("migrate", "up").exitCode == 0)
  }

  private func worker(_ words: String..., as role: String = "postgres") throws -> Program {
    let settings = "[database]\nurl = \"\(server.url(user: role))\"\nworker_role = \"app_worker\"\n"
    try folder.write(settings, to: "worker.toml", mode: 0o644)
    return try Program(
      words: words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "WORKER_REHEARSAL": "rehearse",
        "USER": "ana", "TZDIR": TestEnvironment.zoneinfo,
      ], isRehearsal: true)
  }

  /// A job whose code is gone, which ran twice.
  private func leaveJob(_ state: String = "'succeeded', now(), 0") throws {
    try server.connect().run(
      script: """
        INSERT INTO jobkit.job (name, known_since, decided_until) VALUES ('gone', now(), now());
        INSERT INTO jobkit.run (job, scheduled_for, trigger, started_at, decided_at, decided_by, state,
            finished_at, parts_left)
          SELECT 'gone', '2026-03-01 10:00Z', 'manual', now(), now(), 'test', \(state)
          FROM generate_series(1, 2);
        """)
  }

  @Test func `it says what it removes, and removes it`() throws {
    try leaveJob()
    let contents = "2 runs since 2026-03-01T10:00:00Z, 0 schedules, 0 messages"

    let dry = try worker("retire", "gone", "--dry-run")
    let retired = try worker("retire", "gone")
    let again = try worker("retire", "gone")

    #expect(dry.output == "would remove \(contents)\n" && dry.exitCode == 0)
    #expect(retired.output == "gone is retired\n")
    #expect(retired.errors == "note: removes \(contents)\n")
    #expect(
      again.errors == "worker: the ledger knows no job 'gone': nothing was removed\n"
        && again.exitCode == 64)
  }

  @Test func `it is for the owner of the ledger`() throws {
    try leaveJob()

    let refused = try worker("retire", "gone", as: "app_worker")

    #expect(
      refused.errors
        == "worker: only the owner of the ledger may remove 'gone': ask with settings whose address names"
        + " that role; nothing was removed\n")
    #expect(refused.exitCode == 77)
  }

  @Test func `a run that is not over is in its way`() throws {
    try leaveJob("'due', NULL, 1")

    let refused = try worker("retire", "gone")

    #expect(
      refused.errors
        == "worker: run 1 of 'gone' is not over: wait for its end, or end it with 'worker cancel 1';"
        + " nothing was removed\n")
    #expect(refused.exitCode == 75)
  }

  @Test func `a daemon that has its code is in its way`() throws {
    try leaveJob()
    try server.connect().run(
      """
      INSERT INTO jobkit.daemon
        (name, host, process, version, settings_hash, jobs, started_at, seen_at)
      VALUES ('db1:7:a', 'db1', 7, '1', '1', '{gone}', now(), now())
      """)

    let refused = try worker("retire", "gone", "--dry-run")

    #expect(
      refused.errors
        == "worker: the daemon db1:7:a is alive and has code for 'gone', which it would enter anew: replace"
        + " it by a version without the job, or stop it; nothing was removed\n")
    #expect(refused.exitCode == 75)
  }

  @Test func `where this version has its code it says so`() throws {
    #expect(try worker("run", "rehearse").exitCode == 0)

    let retired = try worker("retire", "rehearse", "--json")

    #expect(retired.output.contains(#""retired": true"#) && retired.output.contains(#""runs": 1"#))
    #expect(
      retired.errors
        == "note: this version still has code for rehearse: a daemon of it enters the job anew\n")
  }
}
