import JobKit
import Jobs
import Postgres
import TestSupport
import Testing

/// What each role of the database can do with the real program, and how it is told what it may not.
@Suite("Roles on the command line")
struct RoleCommandTests {
  private let server: PrivateServer
  private let folder: ScratchFolder

  init() throws {
    server = try PrivateServer()
    folder = try ScratchFolder()
    try server.connect().run(
      script: """
        CREATE ROLE app_worker LOGIN; CREATE ROLE app_reader LOGIN; CREATE ROLE stranger LOGIN;
        CREATE TABLE rehearsal (moment timestamptz, part bigint, chunk bigint);
        GRANT INSERT ON rehearsal TO app_worker;
        """)
  }

  private func worker(_ words: String..., as role: String = "postgres") throws -> Program {
    try worker(words, as: role)
  }

  private func worker(_ words: [String], as role: String) throws -> Program {
    try folder.write(
      """
      [database]
      url = "\(server.url(user: role))"
      worker_role = "app_worker"
      reader_role = "app_reader"
      """, to: "worker.toml", mode: 0o644)
    return try Program(
      shell: words == ["daemon"] ? Self.startAndEnd : #""$PROGRAM" "$@""#, words: words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "WORKER_REHEARSAL": "rehearse",
        "USER": "ana",
        "TZDIR": TestEnvironment.zoneinfo, "LOG": folder.path + "/log", "PATH": "/usr/bin:/bin",
      ], isRehearsal: true)
  }

  /// Starts the daemon, waits until it has worked or ended, and tells it to end.
  private static let startAndEnd = """
    { rm -f "$LOG"; "$PROGRAM" daemon 2>"$LOG" & \
    until grep -qs succeeded "$LOG" || ! kill -0 $! 2>/dev/null; do :; done; \
    kill -TERM $! 2>/dev/null; wait $!; status=$?; cat "$LOG" >&2; (exit $status); }
    """

  private func migrated() throws -> Self {
    #expect(try worker("migrate", "up").exitCode == 0)
    return self
  }

  @Test func `migrate up says what it granted, each time`() throws {
    let granted = "granted 'app_worker' what a worker needs\ngranted 'app_reader' to look\n"

    let first = try worker("migrate", "up")
    let second = try worker("migrate", "up")

    #expect(first.output == MigrationStep.lines("applied") + granted)
    #expect(second.output == "the schema is up to date\n" + granted)
  }

  @Test func `a dry run of migrate up says what it would do, and does nothing`() throws {
    let rehearsed = try worker("migrate", "up", "--dry-run")

    #expect(
      rehearsed.output == MigrationStep.lines("would apply")
        + "would grant 'app_worker' what a worker needs\nwould grant 'app_reader' to look\n"
        + "nothing of this was kept: it was a dry run\n")
    #expect(rehearsed.exitCode == 0)
    #expect(
      try server.connect().run("SELECT to_regnamespace('jobkit') IS NULL AS is_new").only["is_new"])
  }

  @Test func `what --sql prints does the same in psql`() throws {
    let script = try worker("migrate", "up", "--sql").output
    try folder.write(script, to: "up.sql", mode: 0o644)
    try ChildProcess.run(
      "\(try TestEnvironment.postgresPrograms)/psql",
      [
        "-X", "-v", "ON_ERROR_STOP=1", "-d", server.url(), "-f", "\(folder.path)/up.sql",
      ])

    #expect(try worker("migrate", "status").exitCode == 0)
    #expect(try worker("jobs", as: "app_reader").exitCode == 0)
    #expect(try worker("daemon", as: "app_worker").exitCode == 0)
  }

  @Test func `a reader sees everything and changes nothing`() throws {
    let stage = try migrated()
    for words in [["pause", "rehearse", "--reason", "a test"], ["run", "rehearse"]] {
      let program = try stage.look(words)
      #expect(
        program.errors
          == "worker: permission denied for table job, as role 'app_reader' (SQLSTATE 42501)"
          + Self.remedy, "\(words)")
      #expect(program.exitCode == 77)
    }
    _ = try stage.worker("daemon", as: "app_worker")

    for words in [
      ["jobs"], ["runs"], ["show", "1"], ["ps"], ["daemons"], ["why", "rehearse"], ["audit"],
      ["report"], ["notify"], ["push", "providers"],
    ] {
      let program = try stage.look(words)
      // Ticks that have come since the daemon ended are missing to an audit.
      let mayMiss = words == ["audit"] && program.exitCode == 1
      #expect(program.exitCode == 0 || mayMiss, "\(words): \(program.errors)")
    }
    #expect(try stage.look(["health"]).output.contains("schedule  no daemon since "))
    let daemon = try stage.worker("daemon", as: "app_reader")
    let lines = daemon.errors.split(separator: "\n")
    #expect(lines.first == "lacks INSERT on jobkit.daemon" && lines.count > 20)
    let lacks = "the role 'app_reader' cannot work at the ledger: it lacks INSERT on jobkit.daemon"
    #expect(lines.last?.hasPrefix("worker: \(lacks), ") == true)
    #expect(lines.last?.contains("'GRANT app_worker TO app_reader'") == true)
    #expect(daemon.exitCode == 77)
  }

  private func look(_ words: [String]) throws -> Program { try worker(words, as: "app_reader") }

  private static let remedy =
    "; connect as the role of 'database.worker_role', or let the owner of the ledger name this one"
    + " there and run 'worker migrate up'\n"

  @Test func `a role with few connections runs a job by hand with fewer workers`() throws {
    let stage = try migrated()
    // For the command, its maintenance loop and one worker.
    try stage.server.connect().run("ALTER ROLE app_worker CONNECTION LIMIT 3")

    let program = try stage.worker("run", "rehearse", as: "app_worker")

    #expect(program.output.hasPrefix("run 1 succeeded in "), "\(program.errors)")
    #expect(try stage.server.connect().run("SELECT count(*) FROM rehearsal").only[0] == 10)
  }

  @Test(arguments: ["daemon", "run", "jobs"])
  func `a role without rights is told which it is and what to do`(command: String) throws {
    let stage = try migrated()

    let program =
      try command == "run"
      ? stage.worker("run", "rehearse", as: "stranger") : stage.worker(command, as: "stranger")

    #expect(
      program.errors
        == "worker: permission denied for schema jobkit, as role 'stranger' (SQLSTATE 42501)"
        + Self.remedy)
    #expect(program.exitCode == 77)
  }

  @Test(arguments: ["daemon", "jobs"])
  func `a role that does not exist is refused at once`(command: String) throws {
    let program = try worker(command, as: "nobody")

    #expect(
      program.errors
        == "worker: Postgres at \(server.socketFolder):5432 (database 'postgres') refuses the"
        + " connection: role \"nobody\" does not exist (SQLSTATE 28000); check user, password,"
        + " database and TLS settings\n")
    #expect(program.exitCode == 77)
  }

  @Test(arguments: [["migrate", "up"], ["migrate", "up", "--dry-run"]])
  func `who may not make the ledger is told what lets it`(words: [String]) throws {
    try server.connect().run(script: "CREATE ROLE \"odd one\" LOGIN")

    let program = try worker(words, as: "'odd one'")

    #expect(
      program.errors
        == "worker: permission denied for database postgres, as role 'odd one' (SQLSTATE 42501); let an"
        + " administrator type 'GRANT CREATE ON DATABASE postgres TO \"odd one\"', or connect as the role"
        + " that is to own the ledger\n")
    #expect(program.exitCode == 77)
  }

  @Test func `an owner that may make no schema any more migrates the ledger it has`() throws {
    try server.connect().run(
      script: "CREATE ROLE keeper LOGIN; GRANT CREATE ON DATABASE postgres TO keeper")
    let first = try worker("migrate", "up", as: "keeper")
    try server.connect().run("REVOKE CREATE ON DATABASE postgres FROM keeper")

    let again = try worker("migrate", "up", as: "keeper")
    let rehearsed = try worker("migrate", "up", "--dry-run", as: "keeper")

    #expect(first.exitCode == 0, "\(first.errors)")
    #expect(again.output.hasPrefix("the schema is up to date\n"), "\(again.errors)")
    #expect(again.exitCode == 0)
    #expect(rehearsed.exitCode == 0, "\(rehearsed.errors)")
  }

  @Test(arguments: ["app_worker", "stranger"])
  func `who may not migrate a ledger is told whose it is`(role: String) throws {
    let stage = try migrated()
    try server.connect().run(
      script: "CREATE ROLE keeper; ALTER SCHEMA jobkit OWNER TO keeper")

    let program = try stage.worker("migrate", "up", as: role)

    #expect(
      program.errors.hasSuffix(
        " (SQLSTATE 42501); it is the owner who migrates: connect as the role 'keeper'\n"),
      "\(program.errors)")
    #expect(program.exitCode == 77)
  }
}
