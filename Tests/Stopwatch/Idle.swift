import JobKit
import Ledger
import LocalTime
import Migrations
import Postgres
import Runner

/// A job that does nothing, so that what is measured is the runner alone.
struct Idle: Job {
  let name: JobName
  var batch = 1
  var parts = 1

  var definition: JobDefinition {
    JobDefinition(name: name, purpose: "does nothing", schedule: .every(.seconds(86_400)))
  }

  /// How its runs are treated: beside each other, and in batches when it says so.
  var policies: Policies {
    var policies = Policies()
    (policies.overlap, policies.batch) = (.allow, batch)
    return policies
  }

  func run(_ context: inout JobContext) throws -> Outcome { Outcome("done") }
}

/// An empty ledger in a schema of its own, and the crew that works on it.
enum Ground {
  static func prepare(_ target: String) throws {
    let connection = try Connection(to: Server(target))
    try connection.run(script: "DROP SCHEMA IF EXISTS jobkit CASCADE")
    try Schema().migrate(
      by: "measure", at: LedgerClock.database.now(on: connection), on: connection)
  }

  static func pool(_ members: [WorkerPool.Member]) throws -> WorkerPool {
    WorkerPool(
      name: DaemonID(
        host: "measure", process: 1, version: "1", settingsHash: "1",
        word: .random(in: 0 ... .max)), jobs: members,
      zones: try ZoneDatabase(root: "/usr/share/zoneinfo"))
  }
}
