import Postgres
import TestSupport
import Testing

/// What `worker run JOB --arg` takes, with the real program on a real database.
@Suite("The arguments of a run by hand")
struct RunArgumentTests {
  private let database: TestDatabase

  init() throws {
    database = try TestDatabase.migrated()
  }

  private func worker(_ words: [String]) throws -> Program {
    try Program(
      words: words,
      variables: [
        "WORKER_CONFIG": "/dev/null", "WORKER_DATABASE_URL": database.url,
        "TZDIR": TestEnvironment.zoneinfo,
      ])
  }

  @Test(arguments: [
    (
      "recommend_review", "ful=true",
      "'recommend_review' takes full=true or full=false (looks at every learner, not only at those"
        + " with news)"
    ),
    ("recommend_review", "full=ture", "write full=true or full=false"),
    ("recommend_review", "full", "write NAME=VALUE"),
    ("deliver_pushes", "full=true", "'deliver_pushes' takes no argument"),
  ])
  func `what the job does not know is refused before anything is entered`(
    job: String, argument: String, reason: String
  ) throws {
    let refused = try worker(["run", job, "--arg", argument])

    #expect(
      refused.errors == "worker: '--arg \(argument)': \(reason);"
        + " 'worker run --help' shows what can be written\n")
    #expect(refused.exitCode == 64)
    #expect(try database.connect().run("SELECT count(*) FROM jobkit.run").only[0] == 0)
  }

  @Test func `one that is written twice is refused, rather than that the last one counts`() throws {
    let refused = try worker(
      ["run", "recommend_review", "--arg", "full=true", "--arg", "full=false"])

    #expect(
      refused.errors == "worker: '--arg full=false': 'full' is written twice: write it once;"
        + " 'worker run --help' shows what can be written\n")
    #expect(refused.exitCode == 64)
    #expect(try database.connect().run("SELECT count(*) FROM jobkit.run").only[0] == 0)
  }

  @Test func `a dry run is held against the last run, also when that counted nothing`() throws {
    _ = try worker(["run", "settle_rewards", "--for", "2026-03-01T00:00:00Z"])

    let dry = try worker(["run", "settle_rewards", "--dry-run"])

    #expect(
      dry.output.contains(
        "\nthe last run that succeeded, for 2026-03-01T00:00:00Z, counted: nothing\n"))
  }

  @Test func `what the job knows stands in the ledger`() throws {
    let run = try worker(["run", "recommend_review", "--arg", "full=true"])

    let asked: String = try database.connect().run(
      "SELECT argument_names[1] || '=' || argument_values[1] FROM jobkit.run"
    ).only[0]
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(asked == "full=true")
  }

  @Test func `every job that looks at news alone can be asked to look at everybody`() throws {
    #expect(AppJobs.incremental.count > 1)
    for job in AppJobs.incremental {
      let run = try worker(["run", job, "--arg", "full=true", "--dry-run"])
      #expect(run.exitCode == 0, "\(job): \(run.output)\(run.errors)")
    }
  }

  @Test func `the help names what most jobs know`() throws {
    #expect(try worker(["run", "--help"]).output.contains("full=true"))
  }
}
