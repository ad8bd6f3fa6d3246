import JobKit
import Ledger
import LocalTime
import Migrations
import Postgres
import Settings
import TestSupport
import Testing

@testable import WorkerProgram

@Suite("The doctor looks at the database")
struct DoctorDatabaseTests {
  private let practice: Practice
  private let database: TestDatabase

  init() throws {
    practice = try Practice()
    database = try TestDatabase()
  }

  private func patient(_ settings: String = "") throws -> Patient {
    try practice.patient(at: database.url, settings)
  }

  private func migrated() throws -> Self {
    let connection = try database.connect()
    try ProgramSchemas.migrate(
      by: "test", at: LedgerClock.database.now(on: connection), on: connection)
    return self
  }

  private func lines(
    _ check: some DatabaseCheck, _ settings: String = "", on connection: borrowing Connection
  ) throws -> [String] {
    try check.check(at: patient(settings), on: connection).lines
  }

  @Test func `a server that lets nobody write is a problem`() throws {
    let connection = try database.connect()

    let seen = try connection.transaction { connection in
      try connection.run("SET TRANSACTION READ ONLY")
      return try lines(ServerCheck(), on: connection)
    }
    let well = try lines(ServerCheck(), on: connection)

    #expect(seen.count == 1)
    #expect(seen[0].contains(#/^problem: Postgres at .* lets role '.*' write nothing: default_/#))
    #expect(well[0].contains(/^ok: Postgres at .* answers, PostgreSQL \d/))
  }

  @Test func `an enabled job without a row is a problem where a daemon decides`() throws {
    let connection = try migrated().database.connect()
    let now = try LedgerClock.database.now(on: connection)
    let settings = "[jobs.deliver_pushes]\nenabled = false"
    let jobs = try patient(settings).settings.jobs.map(\.name)
    let entered = jobs.filter { $0 != "deliver_pushes" && $0 != "settle_rewards" }
    try Ledger.enter(entered, at: now, on: connection)
    let idle = try lines(JobRowsCheck(), on: connection)
    try connection.run(
      """
      INSERT INTO jobkit.daemon
        (name, host, process, version, settings_hash, jobs, started_at, seen_at, ready_at)
      VALUES ('db1:7:a', 'db1', 7, '1', '1', '{}', \(now), \(now), \(now))
      """)

    let seen = try lines(JobRowsCheck(), settings, on: connection)

    #expect(idle == ["ok: every job that is enabled has one"])
    #expect(seen == ["problem: settle_rewards is enabled and has no row in jobkit.job"])
  }

  @Test func `a schema that is behind, ahead or too far ahead is told apart`() throws {
    let connection = try database.connect()
    let newest = Schema().migrations.count
    #expect(
      try lines(SchemaCheck(), on: connection)[0]
        .hasPrefix("problem: \(newest) migration of the schema 'jobkit' missing: "))

    _ = try migrated()
    let same = try lines(SchemaCheck(), on: connection)
    try connection.run(
      "INSERT INTO jobkit.migration VALUES (1000, 'wider', '', now(), 'ana', \(newest))")
    let ahead = try lines(SchemaCheck(), on: connection)
    try connection.run(
      "INSERT INTO jobkit.migration VALUES (1001, 'narrow', '', now(), 'ana', 1001)")
    let tooFar = try lines(SchemaCheck(), on: connection)

    #expect(same[0] == "ok: 'jobkit' is at version \(newest), as this program is")
    #expect(
      ahead[0] == "note: the schema 'jobkit' has what a newer program added, and this one may go on"
        + " beside it: wider")
    #expect(
      tooFar[0] == "problem: the schema of the database is at version 1001 and this program knows"
        + " \(newest): a newer program has migrated it; run that one, nothing was changed")
  }

  @Test func `the clock of the host is held against the database's`() throws {
    let connection = try database.connect()

    let ahead = try lines(ClockCheck(clock: { SystemClock.now() + .seconds(90) }), on: connection)
    let behind = try lines(
      ClockCheck(clock: { SystemClock.now() - .seconds(3600) }), on: connection)

    #expect(
      ahead[0].contains(/^warning: this host's clock is 1 min (29|30) s ahead of the database's/))
    #expect(
      behind[0].contains(/^warning: this host's clock is (1 h|59 min 59 s) behind the database's/))
  }

  @Test func `zone data that the database does not have is named`() throws {
    let zones = try ZoneFolder(of: "Europe/Berlin")
    try zones.release("2025b", with: "Europe/Berlin", like: "Asia/Tokyo")
    let settings = "[time]\nzone = \"Europe/Berlin\"\nzoneinfo = \"\(zones.path)\""

    let seen = try lines(ZoneDifferenceCheck(), settings, on: database.connect())

    #expect(
      seen == ["warning: the database has other rules in the year to come for Europe/Berlin"])
  }

  @Test func `daemons of two versions and two settings are told, and those that fell silent`()
    throws
  {
    let stage = try migrated()
    let connection = try database.connect()
    try connection.run(
      """
      INSERT INTO jobkit.daemon
        (name, host, process, version, settings_hash, jobs, started_at, seen_at, ready_at)
      VALUES ('db1:1:a', 'db1', 1, '1', 'aa', '{}', now(), now(), now()),
        ('db2:1:b', 'db2', 1, '2', 'bb', '{}', now(), now(), now()),
        ('db3:1:c', 'db3', 1, '2', 'bb', '{}', now() - interval '2 min', now(), NULL),
        ('db4:1:d', 'db4', 1, '0', 'bb', '{}', now(), now() - interval '2 min', now())
      """)

    let seen = try stage.lines(DaemonsCheck(), on: connection)

    #expect(
      seen == [
        "note: db4:1:d stopped without shutting down: killed, or cut off from the network or the database",
        "problem: db3:1:c has not decided anything for a minute",
        "warning: 2 versions are alive: 1, 2",
        "warning: daemons have different settings: aa, bb",
      ])
  }

  @Test func `that no daemon is alive is a problem, once there has been one`() throws {
    let stage = try migrated()
    let connection = try database.connect()
    let patient = try stage.patient()
    let before = try stage.lines(DaemonsCheck(), on: connection)
    try connection.run(
      script: """
        INSERT INTO jobkit.job (name, known_since, decided_until) VALUES ('sample', now(), now());
        INSERT INTO jobkit.schedule (job, since, schedule) VALUES ('sample', now(), 'every 60s');
        """)
    let ended = try stage.lines(DaemonsCheck(), on: connection)
    try connection.run(
      """
      INSERT INTO jobkit.daemon (name, host, process, version, settings_hash, jobs, started_at, seen_at)
      VALUES ('db4:1:d', 'db4', 1, '0', 'bb', '{}', now(), now() - interval '2 min')
      """)
    let killed = try DaemonsCheck().check(at: patient, on: connection)

    #expect(before == ["note: no daemon has been started yet: nothing is decided or run"])
    #expect(ended == ["problem: no daemon is alive: nothing is decided or run"])
    #expect(
      killed.lines == [
        "note: db4:1:d stopped without shutting down: killed, or cut off from the network or the database",
        "problem: no daemon is alive: nothing is decided or run",
      ])
    #expect(
      killed.map(\.remedy) == [
        "see their logs; what they worked at goes on as soon as a daemon is alive",
        "start one with 'systemctl start worker' or 'worker daemon'; its log tells more",
      ])
  }

  @Test func `a transaction that somebody keeps open is named, without what it says`() throws {
    let connection = try database.connectToServer()
    let other = try database.connectToServer()

    try other.transaction { other in
      let process: Int = try other.run("SELECT pg_backend_pid(), 'secret'").only[0]
      try eventually {
        let seen = try lines(TransactionsCheck(most: .milliseconds(1)), on: connection)
        return seen == [
          "warning: process \(process) of 'worker' (worker, idle in transaction) has had a"
            + " transaction open for 0 ms"
        ]
      }
    }
    #expect(try lines(TransactionsCheck(), on: connection) == ["ok: none is older than 30 min"])
  }

  @Test func `a prepared transaction that nobody ends is named`() throws {
    let connection = try database.connectToServer()
    try connection.run("BEGIN")
    try connection.run("CREATE TABLE thing (n bigint)")
    try connection.run("PREPARE TRANSACTION 'forgotten'")
    defer { _ = try? connection.run("ROLLBACK PREPARED 'forgotten'") }

    let seen = try TransactionsCheck(most: .zero).check(at: patient(), on: connection)

    #expect(
      seen.lines == ["warning: the prepared transaction 'forgotten' waits for its end since 0 ms"])
    #expect(seen[0].remedy == "ask its owner to commit it, or ROLLBACK PREPARED 'forgotten'")
  }

  @Test func `autovacuum that is off, and dead rows that it leaves, are told`() throws {
    let stage = try migrated()
    let connection = try database.connect()
    let tables: Int = try connection.run(
      "SELECT count(*) FROM pg_tables WHERE schemaname = 'jobkit'"
    ).only[0]
    let well = try stage.lines(VacuumCheck(), on: connection)
    try connection.run("ALTER TABLE jobkit.run SET (autovacuum_enabled = false)")
    try database.connectToServer().run(
      script: """
        ALTER TABLE jobkit.job SET (autovacuum_enabled = false);
        INSERT INTO jobkit.job SELECT 'job' || n, now(), now() FROM generate_series(1, 40) AS n;
        DELETE FROM jobkit.job;
        """)

    #expect(well == ["ok: \(tables) tables of the ledger are clean"])
    try eventually {
      try stage.lines(VacuumCheck(most: 30), on: connection) == [
        "problem: autovacuum is switched off for jobkit.job",
        "warning: jobkit.job has 40 dead rows beside 0: autovacuum never came",
        "problem: autovacuum is switched off for jobkit.run",
      ]
    }
  }

  @Test func `whether a pooler stands between is seen, and how it shares sessions`() throws {
    let seen = try lines(PoolerCheck(), on: database.connect())
    let direct = try PoolerCheck().check(at: patient(), on: database.connectToServer())

    let isPooled = try TestEnvironment.postgres != TestEnvironment.server
    #expect(
      seen == [
        isPooled
          ? "note: a pooler, by transaction: nothing that the worker does needs more"
          : "ok: none: sessions are the server's own"
      ])
    #expect(direct.lines == ["ok: none: sessions are the server's own"])
  }
}
