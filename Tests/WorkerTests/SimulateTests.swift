internal import Glibc
internal import Postgres
internal import TestSupport
import Testing

@Suite("worker simulate")
struct SimulateTests {
  private let folder: ScratchFolder

  /// Whose databases are this test's: it may make some, and reads settings that name one of the server's.
  private let role = "role_\(UInt64.random(in: 0 ... .max))"

  init() throws {
    folder = try ScratchFolder()
    try connect().run("CREATE ROLE \(identifier: role) LOGIN CREATEDB")
    try write()
  }

  /// Settings with a job of every night in New York, and hardly another.
  private func write() throws {
    let others = [
      "schedule_daily_push", "deliver_pushes", "sweep_push_outcomes", "recommend_review",
      "detect_streak_breaks", "settle_rewards", "refresh_widget_snapshots",
    ]
    try folder.write(
      """
      [database]
      url = "\(try url())"
      [time]
      zone = "America/New_York"
      [jobs.refresh_leaderboard]
      schedule = "30 2 * * *"

      """ + others.map { "[jobs.\($0)]\nschedule = \"0 0 1 1 *\"\n" }.joined(),
      to: "worker.toml", mode: 0o644)
  }

  private var variables: [String: String] {
    get throws {
      ["WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": try TestEnvironment.zoneinfo]
    }
  }

  private func simulate(_ words: String...) throws -> Program {
    try Program(words: ["simulate"] + words, variables: variables)
  }

  private func url(database: String = "postgres") throws -> String {
    "\(try TestEnvironment.server) user=\(role) dbname=\(database)"
  }

  private func connect() throws -> Connection { try Connection(to: Server(TestEnvironment.server)) }

  /// The databases that this test has made.
  private func databases() throws -> [String] {
    let rows = try connect().run(
      "SELECT datname::text FROM pg_database WHERE pg_get_userbyid(datdba) = \(role)")
    return try rows.map { try $0[0] }
  }

  @Test func `each job's ticks are summed up, and a change of the clocks is explained`() throws {
    let program = try simulate("--from", "2026-03-07", "--to", "2026-03-10")

    #expect(
      program.output.contains(
        """
        refresh_leaderboard       3      3    0       0        0       2026-03-07T07:30:00Z  \
        2026-03-09T06:30:00Z  boards 6, entries 0

        """))
    #expect(
      program.output.hasSuffix(
        """
        refresh_leaderboard 2026-03-08T07:00:00Z: 02:30 does not exist on 2026-03-08 in \
        America/New_York: runs at 03:00, the first moment after the gap

        """))
    #expect(program.errors.isEmpty)
    #expect(program.exitCode == 0)
  }

  @Test func `the configured database is left alone, and the other one is dropped`() throws {
    let program = try simulate("--from", "2026-03-08", "--to", "2026-03-09", "--json")

    #expect(program.output.contains(#""first": "2026-03-08T07:00:00Z""#))
    #expect(program.exitCode == 0)
    #expect(try databases() == [])
    #expect(
      try connect().run("SELECT to_regnamespace('jobkit') IS NULL AS n").only["n"] == true)
  }

  @Test func `a tick at the very beginning counts, and one at the very end does not`() throws {
    let program = try simulate(
      "--from", "2026-03-08T07:00:00Z", "--to", "2026-03-09T06:30:00Z", "--json")

    #expect(program.output.contains(#""succeeded": 1"#))
    #expect(program.output.contains(#""last": "2026-03-08T07:00:00Z""#))
  }

  @Test func `a database that is kept can be looked at`() throws {
    let program = try simulate("--from", "2026-03-08", "--to", "2026-03-09", "--keep")

    let address = try #require(
      program.errors.firstMatch(of: /WORKER_DATABASE_URL='([^']*)' worker runs/))
    let runs = try Program(
      words: ["runs"],
      variables: variables.merging(["WORKER_DATABASE_URL": String(address.1)]) { $1 })
    #expect(runs.output.contains("refresh_leaderboard"))
    #expect(try databases().count == 1)
  }

  @Test func `an empty database that is named is worked in and left, and no other is`() throws {
    let empty = "empty_\(role)"
    try connect().run(
      "CREATE DATABASE \(identifier: empty) OWNER \(identifier: role)")
    let range = ["--from", "2026-03-08", "--to", "2026-03-09"]
    let words = ["simulate", "--database", try url(database: empty)] + range

    let first = try Program(words: words, variables: variables)
    let second = try Program(words: words, variables: variables)

    #expect(first.exitCode == 0)
    #expect(try databases() == [empty])
    #expect(
      second.errors.hasSuffix(
        "worker: the database '\(empty)' is not empty, 'jobkit.job' is in it: a simulation needs one with"
          + " nothing in it, and nothing was changed\n"))
    #expect(second.exitCode == 65)
  }

  @Test func `a job whose code works in Postgres alone is run, and its failure is told`() throws {
    let program = try Program(
      words: ["simulate", "--from", "2026-03-08T07:00:00Z", "--to", "2026-03-08T07:00:03Z"],
      variables: variables.merging(["WORKER_REHEARSAL": "rehearse"]) { $1 }, isRehearsal: true)

    // It is due each second, fails for want of its table, and is tried again after ten seconds.
    #expect(
      program.output.contains(
        """
        rehearse                  3      0    0       2        0       2026-03-08T07:00:00Z  \
        2026-03-08T07:00:02Z  1 not over

        """))
    #expect(!program.errors.contains("rehearse"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `whoever interrupts it leaves nothing behind`(signal: Int32) throws {
    let process = try ChildProcess(
      "/usr/bin/env",
      ["-i"] + variables.map { "\($0)=\($1)" } + [
        try TestEnvironment.binary, "simulate", "--from", "2026-01-01", "--to", "2526-01-01",
      ], output: folder.path + "/output")
    try eventually { try !databases().isEmpty }

    process.send(signal)

    #expect(try process.status() >> 8 == 130)
    #expect(try databases() == [])
    #expect(
      try TextFile.read(folder.path + "/output").hasSuffix(
        "worker: interrupted: what was simulated is dropped\n"))
  }

  @Test func `a role that may make no database is told what to ask for`() throws {
    try connect().run("ALTER ROLE \(identifier: role) NOCREATEDB")

    let program = try simulate("--from", "2026-03-08", "--to", "2026-03-09")

    #expect(
      program.errors
        == "worker: this role may not make a database to simulate in: let somebody make an empty one,"
        + " and name it with --database\n")
    #expect(program.exitCode == 77)
  }

  @Test(arguments: [
    (["--to", "2026-03-09"], "'--from INSTANT' is missing"),
    (["--from", "2026-03-09"], "'--to INSTANT' is missing"),
    (
      ["--from", "2026-03-09", "--to", "2026-03-08"],
      "'--to 2026-03-08': it must lie after --from, 2026-03-09T04:00:00Z"
    ),
    (
      ["--from", "today", "--to", "2026-03-08"],
      "'--from today': write 2026-03-08T07:00:00Z, 2026-03-08T02:00:00-05:00 or a date such as"
        + " 2026-03-08"
    ),
  ])
  func `a range that cannot be read is refused with what to write`(
    words: [String], sentence: String
  ) throws {
    let program = try Program(words: ["simulate"] + words, variables: variables)

    #expect(
      program.errors == "worker: \(sentence); 'worker simulate --help' shows what can be written\n")
    #expect(program.exitCode == 64)
  }

  @Test(arguments: [
    (
      "postgresql://ana:secret@db/empty",
      "it holds a password, which everybody on this host can read: put that in a file and name it in"
        + " 'database.password_file'"
    ),
    (
      "empty", "write a URL such as postgresql:///empty, or words such as 'host=db dbname=empty'"
    ),
  ])
  func `an address that cannot be used is refused and not repeated`(
    url: String, objection: String
  ) throws {
    let program = try simulate("--from", "2026-03-08", "--to", "2026-03-09", "--database", url)

    #expect(program.errors == "worker: '--database' cannot be used: \(objection)\n")
    #expect(program.exitCode == 64)
  }
}
