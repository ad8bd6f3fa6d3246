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
    let others = AppJobs.all(but: "refresh_leaderboard")
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

  /// The address of a database that is this test's, with nothing in it.
  private func emptyDatabase() throws -> String {
    let name = "empty_\(role)"
    try connect().run("CREATE DATABASE \(identifier: name) OWNER \(identifier: role)")
    return try url(database: name)
  }

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
        refresh_leaderboard       3      3    0       0        0       2026-03-07 02:30  \
        2026-03-09 02:30-04:00  boards 6, entries 0

        """))
    #expect(
      program.output.hasSuffix(
        """
        refresh_leaderboard 2026-03-08 03:00 (-04:00): 02:30 does not exist on 2026-03-08 in \
        America/New_York: runs at 03:00, the first moment after the gap

        """))
    #expect(program.exitCode == 0)
  }

  @Test func `in a pipe it tells how far it is, at most a line for each tenth`() throws {
    let program = try simulate(
      "--from", "2026-03-08T06:00:00Z", "--to", "2026-03-08T16:00:00Z", "--database",
      try emptyDatabase())

    // All of it is the one tick of 07:00, a tenth of the way on.
    #expect(
      program.errors == "note: simulated up to 2026-03-08T07:00:00Z of 2026-03-08T16:00:00Z, 10 %\n"
    )
  }

  @Test func `without a range it simulates today, and without an end a day`() throws {
    let today = try simulate("--json")
    let day = try simulate("--from", "2026-03-08", "--json")

    let range = try #require(
      today.output.firstMatch(
        of: /"from": "(\d{4}-\d\d-\d\dT0[45]:00:00Z)",\s*"to": "(\d{4}-\d\d-\d\dT0[45]:00:00Z)"/))
    #expect(range.1 < range.2)
    #expect(day.output.contains(#""from": "2026-03-08T05:00:00Z""#))
    #expect(day.output.contains(#""to": "2026-03-09T04:00:00Z""#))
  }

  @Test func `nothing that commits waits for the disk`() throws {
    let program = try simulate("--from", "2026-03-08", "--to", "2026-03-09", "--keep")

    let name = try #require(try databases().first)
    let settings: [String] = try connect().run(
      """
      SELECT unnest(setconfig) AS setting FROM pg_db_role_setting
      JOIN pg_database ON pg_database.oid = setdatabase WHERE datname = \(name)
      """
    ).map { try $0["setting"] }
    #expect(program.exitCode == 0 && settings == ["synchronous_commit=off"])
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
    let range = ["--from", "2026-03-08", "--to", "2026-03-09"]
    let empty = "empty_\(role)"
    let words = ["simulate", "--database", try emptyDatabase()] + range

    let first = try Program(words: words, variables: variables)
    let second = try Program(words: words, variables: variables)

    #expect(first.exitCode == 0)
    #expect(try databases() == [empty])
    #expect(
      second.errors.hasSuffix(
        "worker: the database '\(empty)' is not empty, 'jobkit.daemon' is in it: a simulation needs one with"
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
        rehearse                  3      0    0       2        0       2026-03-08 03:00  \
        2026-03-08 03:00:02  1 not over

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
}
