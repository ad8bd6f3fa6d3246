import JobKit
import Ledger
import LocalTime
import Runner
import TestSupport
import Testing

@testable import WorkerProgram

@Suite("The jobs of a simulation")
struct SimulatedJobsTests {
  /// A job that says whether it keeps to Postgres.
  private struct Sample: Job {
    let definition: JobDefinition
    let hasExternalEffects: Bool

    func run(_ context: inout JobContext) -> Outcome { Outcome("done") }
  }

  @Test func `only code that works in Postgres alone is run, and nothing in the others' place`()
    throws
  {
    let definitions = ["local", "pushing", "unwritten"].map { name in
      JobDefinition(
        name: JobName(stringLiteral: name), purpose: "x", schedule: .every(.seconds(60)))
    }
    let name = DaemonID(host: "host", process: 1, version: "1", settingsHash: "1", word: 1)
    let interval = try #require(Interval(.seconds(60)))
    let pool = WorkerPool(
      name: name,
      jobs: [
        .init(
          job: Sample(definition: definitions[0], hasExternalEffects: false), policies: .init()),
        .init(
          job: Sample(definition: definitions[1], hasExternalEffects: true), policies: .init()),
      ], zones: try ZoneDatabase(root: TestEnvironment.zoneinfo))

    let simulated = SimulatedJobs(
      definitions.map { .init(name: $0.name, schedule: Schedule(every: interval, shownIn: .utc)) },
      of: Catalogue(definitions), by: pool)

    #expect(simulated.idle == ["pushing", "unwritten"])
    #expect(simulated.pool.jobs["local"]?.job is Sample)
    #expect(simulated.pool.jobs["pushing"]?.job is NoWork)
    #expect(simulated.pool.jobs["unwritten"]?.job is NoWork)
  }
}
