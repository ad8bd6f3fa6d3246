import JobKit
import LocalTime
import Migrations
import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// What the doctor sees of roles and of a whole server, on one of its own.
@Suite("The doctor looks at the server")
struct DoctorServerTests {
  private let practice: Practice
  private let server: PrivateServer

  init() throws {
    practice = try Practice()
    server = try PrivateServer(settings: ["wal_level": "replica", "max_replication_slots": "4"])
    let connection = try server.connect()
    try connection.run(script: "CREATE ROLE app_worker LOGIN; CREATE ROLE stranger LOGIN;")
    try ProgramSchemas.migrate(
      by: "test", at: LedgerClock.database.now(on: connection), on: connection)
    for schema in ProgramSchemas.all {
      try schema.grant(LedgerRoles(worker: "app_worker"), on: connection)
    }
  }

  private func lines(
    _ check: some DatabaseCheck, as role: String = "postgres", workers: Int = 4
  ) throws -> [String] {
    let url = server.url(user: role)
    let file = try practice.folder.write(
      "workers = \(workers)\n[database]\nurl = \"\(url)\"\n", to: "worker.toml", mode: 0o644)
    let settings = SettingsFile(try Arguments(["--config", file], of: .doctor))
    let patient = try #require(ConfigurationCheck().check(at: settings).patient)
    return try check.check(at: patient, on: Connection(to: Server(url))).lines
  }

  @Test func `a role that has what a daemon needs and no more is well`() throws {
    #expect(
      try lines(RoleCheck(), as: "app_worker") == [
        "ok: 'app_worker' has no more rights than a daemon needs"
      ])
  }

  @Test func `a role whose statements fail where they meet others is told how to let them`() throws
  {
    try server.connect().run(
      script: "ALTER ROLE app_worker SET default_transaction_isolation = 'repeatable read'")

    #expect(
      try lines(ServerCheck(), as: "app_worker") == [
        "problem: transactions are 'repeatable read' here unless they say otherwise: claims and heartbeats"
          + " that meet others fail (SQLSTATE 40001)"
      ])
    #expect(try lines(ServerCheck()).allSatisfy { $0.hasPrefix("ok: ") })
  }

  @Test func `a role that may too much is told what`() throws {
    try server.connect().run(
      script: """
        GRANT TRUNCATE ON jobkit.run TO app_worker;
        GRANT CREATE ON SCHEMA learning TO app_worker;
        GRANT CREATE ON DATABASE postgres TO app_worker;
        ALTER ROLE app_worker CREATEDB BYPASSRLS;
        GRANT pg_read_server_files TO app_worker;
        CREATE ROLE owner; ALTER SCHEMA jobkit OWNER TO owner; GRANT owner TO app_worker;
        """)

    #expect(
      try lines(RoleCheck(), as: "app_worker") == [
        "warning: 'app_worker' owns, or may act as the owner of, jobkit",
        "warning: 'app_worker' may create tables in learning",
        "warning: 'app_worker' may create schemas in this database",
        "warning: 'app_worker' has CREATEDB, BYPASSRLS",
        "warning: 'app_worker' is a member of pg_read_server_files",
      ])
    #expect(try lines(RoleCheck()) == ["warning: 'postgres' is a superuser"])
  }

  @Test func `a reader is told that the rights of the daemons are not judged, and nothing else`()
    throws
  {
    let note =
      "note: asked as 'app_reader', which may only look: what the role of the daemons may is not judged"
    try server.connect().run(
      script: """
        CREATE ROLE app_reader LOGIN; GRANT USAGE ON SCHEMA jobkit, learning TO app_reader;
        GRANT SELECT ON ALL TABLES IN SCHEMA jobkit, learning TO app_reader
        """)

    #expect(try lines(RoleCheck(), as: "app_reader") == [note])
    #expect(try lines(JobTablesCheck(), as: "app_reader") == [note])
  }

  @Test func `a table that a job lacks is a matter of the job, and not of the role`() throws {
    try server.connect().run("ALTER TABLE learning.leaderboard_entries RENAME TO elsewhere")

    let tables = try lines(JobTablesCheck(), as: "app_worker")
    #expect(tables.count == 1)
    #expect(tables.first?.hasPrefix("problem: refresh_leaderboard cannot run: ") == true)
    #expect(
      try lines(RoleCheck(), as: "app_worker") == [
        "ok: 'app_worker' has no more rights than a daemon needs"
      ])
  }

  @Test func `a right that nobody needs is told by its table`() throws {
    try server.connect().run(script: "GRANT TRUNCATE ON jobkit.run TO app_worker")

    #expect(
      try lines(RoleCheck(), as: "app_worker") == [
        "warning: 'app_worker' may empty, or hang triggers on, jobkit.run"
      ])
  }

  @Test func `a role that may too little is a problem, and one that may not look is told so`()
    throws
  {
    try server.connect().run(script: "REVOKE INSERT ON jobkit.run FROM app_worker")

    let seen = try lines(RoleCheck(), as: "app_worker")
    let stranger = try practice.doctor(at: server.url(user: "stranger"), "--only", "daemons")

    #expect(
      seen[0].hasPrefix(
        "problem: the role 'app_worker' cannot work at the ledger: it lacks INSERT on jobkit.run; ")
    )
    #expect(
      stranger.output.hasPrefix(
        "note     daemons: could not be looked at: permission denied for "))
    #expect(stranger.output.contains("\n         do: ask as a role that may\n"))
  }

  @Test func `the connections that are left are counted against what a daemon needs`() throws {
    try server.connect().run(script: "ALTER ROLE app_worker CONNECTION LIMIT 5")

    #expect(
      try lines(ConnectionsCheck(), as: "app_worker") == [
        "problem: the role may have 5 connections, and a daemon needs 7"
      ])
    #expect(
      try lines(ConnectionsCheck(), workers: 10)[0].contains(
        /^warning: \d of 17 connections are in use, and a daemon needs 13: two more, as in an upgrade, have no room$/
      ))
    #expect(
      try lines(ConnectionsCheck(), workers: 20)[0].contains(
        /^problem: \d of 17 connections are in use, and a daemon needs 23$/))
  }

  @Test func `a replication slot that nobody uses is named`() throws {
    #expect(try lines(HorizonCheck()) == ["ok: nothing holds it back"])
    try server.connect().run("SELECT pg_create_physical_replication_slot('standby_2', true)")

    let seen = try lines(HorizonCheck())

    #expect(seen.count == 1)
    #expect(
      seen[0].contains(
        /^warning: the replication slot 'standby_2' is used by nobody: it holds back 0 transactions and \d MB of log$/
      ))
    try server.connect().run("SELECT pg_drop_replication_slot('standby_2')")
  }

  @Test func `a server that may lose commits is told apart from a role that may`() throws {
    try server.connect().run(script: "ALTER ROLE app_worker SET synchronous_commit = off")

    #expect(
      try lines(DurabilityCheck(), as: "app_worker") == [
        "problem: fsync is off: a crash of the host may destroy the whole database",
        "problem: full_page_writes is off: a crash of the host may destroy the whole database",
        "warning: synchronous_commit is off for this role: a crash of the server forgets the last"
          + " moments",
      ])
  }

  @Test func `who may not see what others do is told so`() throws {
    #expect(
      try lines(TransactionsCheck(), as: "app_worker") == [
        "ok: none is older than 30 min", "note: this role sees no transactions but its own",
      ])
  }
}
