import Postgres
import TestSupport
import Testing

/// What docs/sql-jobs.md shows, with the real program on a real database.
@Suite("The page about jobs in SQL")
struct SQLJobsPageTests {
  private let database: TestDatabase
  private let folder: ScratchFolder
  private let page: String

  init() throws {
    (database, folder) = (try TestDatabase.migrated(), try ScratchFolder())
    page = try TextFile.read("docs/sql-jobs.md")
    try database.connect().run(
      script: """
        CREATE TABLE session (id bigint PRIMARY KEY, ended_at timestamptz NOT NULL);
        INSERT INTO session SELECT n, clock_timestamp() - n * interval '1 day'
        FROM generate_series(1, 100) AS n;
        """)
  }

  /// The first job of the page.
  private var firstJob: String { jobs.first ?? "" }

  /// The jobs of the page, in order.
  private var jobs: [String] {
    page.split(separator: "```toml\n").dropFirst()
      .map { String($0.split(separator: "```").first ?? "") }
  }

  private func worker(_ line: String, with jobs: String) throws -> Program {
    let settings = "[database]\nurl = \"\(database.url)\"\n\(jobs)"
    let file = try folder.write(settings, to: "worker.toml", mode: 0o644)
    return try Program(
      shell: "\"$PROGRAM\" \(line)",
      variables: ["WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo, "USER": "ana"])
  }

  @Test func `the first job is checked, tried, run and explained by the lines that are shown`()
    throws
  {
    let lines = page.split(separator: "\n").filter { $0.hasPrefix("    worker ") }
      .map { String($0.dropFirst(11)) }
    let said = try lines.map { line in
      let program = try worker(line, with: firstJob)
      #expect(program.exitCode == 0, "\(line): \(program.errors)")
      return program.output
    }

    try #require(said.count == 4)
    #expect(said[0].contains("delete_old_sessions") && said[0].hasSuffix("\nno problem\n"))
    #expect(
      said[1].contains("the run would touch 71; would succeed: deleted 71 rows of public.session"))
    #expect(said[1].contains("would delete 71 rows in public.session"))
    #expect(
      said[3].contains("would leave the row id 17 of public.session\nfalse: ended_at < :moment"))
    #expect(try database.connect().run("SELECT count(*) FROM session").only[0] == 29)
  }

  @Test func `what the database has against a job ends a check with 78, with line and column`()
    throws
  {
    let jobs = firstJob.replacing("key = \"id\"", with: "key = \"number\"")
    let file = folder.path + "/worker.toml"
    let said =
      "'jobs.delete_old_sessions.key' will not do: 'public.session' has no column 'number': write"
      + " some of id, ended_at"

    let text = try worker("check --connect", with: jobs)
    let json = try worker("check --connect --json", with: jobs)

    #expect(text.exitCode == 78 && json.exitCode == 78)
    #expect(
      text.errors == "\(file):6:7: \(said)\nworker: 1 problem: these settings are not used\n")
    #expect(json.output.contains("\"line\": 6,\n      \"column\": 7,\n      \"what\": \"\(said)\""))
  }

  @Test func `a job of the settings is listed and explained like any other`() throws {
    _ = try worker("run delete_old_sessions", with: firstJob)

    let jobs = try worker("jobs", with: firstJob)
    let why = try worker("why delete_old_sessions", with: firstJob)
    let calendar = try worker("next delete_old_sessions --ics", with: firstJob)
    let runs = try worker("runs --json", with: firstJob)

    #expect(jobs.output.contains(/delete_old_sessions +30 3 \* \* \*/))
    #expect(why.output.hasPrefix("delete_old_sessions is due at '30 3 * * *' in UTC"))
    #expect(calendar.output.contains("deletes rows of public.session"))
    #expect(runs.output.contains("\"deleted\": 71"))
  }

  @Test func `the job that the example of the settings shows is the first of the page`() throws {
    let example = try TextFile.read("config/worker.toml").split(separator: "\n")
      .filter { $0.hasPrefix("#   ") }.map { $0.dropFirst(4) }

    #expect(example.joined(separator: "\n").hasSuffix(firstJob.dropLast()))
  }

  @Test func `a row is asked about by its key alone`() throws {
    let why = try worker("why delete_old_sessions --key 17 --day today", with: firstJob)

    #expect(why.exitCode == 64)
    #expect(why.errors.contains("a row is asked about by --key alone"))
  }

  @Test func `a row is explained by no job that has none`() throws {
    let why = try worker("why settle_rewards --key 17", with: firstJob)

    #expect(why.exitCode == 65)
    #expect(
      why.errors == "worker: 'settle_rewards' cannot say what it would do with a row; this job can:"
        + " 'delete_old_sessions'\n")
  }

  @Test(arguments: [
    (
      "delete_old_sessions --key 999", 65, "'public.session' has no row whose id is '999'"
    ),
    (
      "drop_old_hits --key hit_2020_01", 65,
      "'shop.hit' has no partition 'hit_2020_01': write the name of one, with its schema or without"
    ),
    (
      "drop_old_calls --key call_2020_01", 78,
      "there is no table 'shop.call' that has partitions: write one that was made with PARTITION BY RANGE"
    ),
    (
      "delete_old_calls --key 17", 78,
      "there is no table 'shop.call': create it, or write the name that it has, with its schema"
    ),
  ])
  func `what is asked about and is not there is no mistake of the program`(
    asked: String, code: Int32, said: String
  ) throws {
    try database.connect().run(
      script: "CREATE SCHEMA shop; CREATE TABLE shop.hit (at date) PARTITION BY RANGE (at);")
    let dropping = try #require(jobs.first { $0.hasPrefix("[jobs.drop_old_hits]") })
    let found = firstJob + dropping
    let lost = found.replacing(#/old_sessions|old_hits/#, with: "old_calls")
      .replacing(#/public\.session|shop\.hit/#, with: "shop.call")

    let why = try worker("why \(asked)", with: found + lost)

    #expect(why.exitCode == code)
    #expect(why.errors == "worker: \(said)\n")
  }
}
