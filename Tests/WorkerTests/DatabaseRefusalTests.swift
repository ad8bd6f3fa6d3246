import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// How a command ends whose statement the database does not carry out.
@Suite("A statement that is refused")
struct DatabaseRefusalTests {
  @Test(arguments: [
    (
      "55P03",
      "somebody holds that lock, such as a migration: try again when it is over, or look for it in"
        + " pg_stat_activity"
    ),
    ("55006", "somebody uses it: try again when that is over"),
    (
      "53100",
      "the server has no disk, memory or connection left for it: see its log, make room there, and try"
        + " again"
    ),
    (
      "53200",
      "the server has no disk, memory or connection left for it: see its log, make room there, and try"
        + " again"
    ),
  ])
  func `what passes says what to do, and that is to try again`(state: String, remedy: String) {
    let failure = Failure(PostgresError.failed(Self.report(state)))

    let statement = state.hasPrefix("53") ? "" : ", in 'SELECT 1'"
    #expect(failure.lines == ["no (SQLSTATE \(state))\(statement); \(remedy)"])
    #expect(failure.exitCode == .refusedForNow)
  }

  @Test(
    arguments: [
      (
        .deadline(.seconds(30), statement: "SELECT 1"),
        "the statement took longer than 30 s and was cancelled: 'SELECT 1'; the database is busy, or somebody"
          + " holds a lock that this needs: try again, or raise 'database.statement_timeout'"
      ),
      (
        .deadline(nil, statement: "SELECT 1"),
        "the statement took longer than the server's statement_timeout and was cancelled: 'SELECT 1';"
          + " the database is busy, or somebody holds a lock that this needs: try again, or raise that limit"
      ),
      (
        .cancelled(statement: "SELECT 1"),
        "the statement was cancelled: 'SELECT 1'; somebody ended it at the server: try again"
      ),
      (
        .retryable(report("40001")),
        "another transaction got in the way: no (SQLSTATE 40001), in 'SELECT 1'; try the transaction"
          + " again"
      ),
    ] as [(PostgresError, String)])
  func `what took too long or met others is to be tried again`(
    error: PostgresError, sentence: String
  ) {
    let failure = Failure(error)

    #expect(failure.lines == [sentence])
    #expect(failure.exitCode == .refusedForNow)
  }

  @Test func `a daemon that may only read could not start, says daemon --check`() throws {
    let database = try TestDatabase.migrated()
    let folder = try ScratchFolder()
    let file = try folder.write(
      "[database]\nurl = \"\(database.url)\"\n", to: "worker.toml", mode: 0o644)
    let variables = ["WORKER_CONFIG": file, "TZDIR": try TestEnvironment.zoneinfo]
    let able = try Program("daemon", "--check", variables: variables)
    try database.connectToServer().run(
      "ALTER DATABASE \(identifier: database.name) SET default_transaction_read_only = on")

    let unable = try Program("daemon", "--check", variables: variables)

    #expect(able.exitCode == 0, "\(able.errors)")
    #expect(unable.exitCode == 75)
    #expect(unable.errors.contains(": default_transaction_read_only is on;"), "\(unable.errors)")
  }

  @Test(arguments: [
    (
      ServerReport.ReadOnly.standby,
      ": the server is a standby; let 'database.url' name the primary, or write"
        + " target_session_attrs=read-write into it, and try again"
    ),
    (
      .setting,
      ": default_transaction_read_only is on; switch it off for this role or database ('\\drds' in psql"
        + " shows where), or in postgresql.conf, and try again"
    ),
  ])
  func `a session that may only read says what makes it so`(
    cause: ServerReport.ReadOnly, sentence: String
  ) {
    var report = Self.report("25006")
    report.readOnly = cause

    let failure = Failure(PostgresError.failed(report))

    #expect(failure.lines == ["no (SQLSTATE 25006)\(sentence)"])
    #expect(failure.exitCode == .refusedForNow)
  }

  @Test func `a lock says who holds it and what can be done about that`() {
    var report = Self.report("55P03")
    report.holder = LockHolder(
      process: 17, account: "process 17 of role 'ana' (psql), which has a lock on 'jobkit.job'")

    let failure = Failure(PostgresError.failed(report))

    #expect(
      failure.lines == [
        "no (SQLSTATE 55P03); held by process 17 of role 'ana' (psql), which has a lock on 'jobkit.job';"
          + " try again when that is over, or end it with 'SELECT pg_terminate_backend(17)'"
      ])
  }

  @Test func `a database that is not there says how to make it, and that is to try again`() {
    let failure = Failure(
      PostgresError.refused(
        server: "db", reason: "database \"nosuch\" does not exist", sqlState: "3D000"))

    #expect(
      failure.lines == [
        "db refuses the connection: database \"nosuch\" does not exist (SQLSTATE 3D000); create it with"
          + " 'createdb nosuch', or name another one in 'database.url'"
      ])
    #expect(failure.exitCode == .refusedForNow)
  }

  @Test func `a table that somebody has dropped is no mistake of this program`() {
    let failure = Failure(PostgresError.failed(Self.report("42P01")))

    #expect(
      failure.lines == [
        "no (SQLSTATE 42P01); somebody has changed the schema: put that back, or see 'worker migrate"
          + " status' and 'worker doctor'"
      ])
    #expect(failure.exitCode == .refusedForNow)
  }

  @Test func `what somebody's function refuses is no mistake of this program`() {
    var report = Self.report("P0001")
    report.context = "PL/pgSQL function shop.check_it() line 3 at RAISE"

    let failure = Failure(PostgresError.failed(report))

    #expect(
      failure.lines == [
        "no (SQLSTATE P0001), raised in the function 'shop.check_it()'; see to what that function refuses,"
          + " and try again"
      ])
    #expect(failure.exitCode == .refusedForNow)
  }

  @Test func `what only a mistake brings about is called one`() {
    let failure = Failure(PostgresError.failed(Self.report("42601")))

    #expect(failure.lines == ["no (SQLSTATE 42601), in 'SELECT 1'"])
    #expect(failure.exitCode == .internalError)
  }

  private static func report(_ state: String) -> ServerReport {
    ServerReport(sqlState: state, message: "no", statement: "SELECT 1")
  }

  @Test func `a table that somebody holds for longer than a command may wait ends it with 75`()
    throws
  {
    let (database, folder) = (try TestDatabase(), try ScratchFolder())
    let file = try folder.write(
      "[database]\nurl = \"\(database.url)\"\nstatement_timeout = \"1s\"\n", to: "worker.toml",
      mode: 0o644)
    let variables = ["WORKER_CONFIG": file, "TZDIR": try TestEnvironment.zoneinfo]
    // With its own limit, which the migrations may need.
    _ = try Program(
      "migrate", "up",
      variables: [
        "WORKER_CONFIG": "/dev/null", "WORKER_DATABASE_URL": database.url,
        "TZDIR": TestEnvironment.zoneinfo,
      ])

    let refused = try database.connectToServer().transaction { connection in
      try connection.run("LOCK TABLE jobkit.run")
      return try Program("runs", variables: variables)
    }

    #expect(
      refused.errors.contains("the statement took longer than 1 s and was cancelled: 'SELECT"))
    #expect(
      refused.errors.hasSuffix(
        "'; the database is busy, or somebody holds a lock"
          + " that this needs: try again, or raise 'database.statement_timeout'\n"))
    #expect(refused.exitCode == 75)
  }
}
