@testable import JobKit
@testable import Ledger
@testable import Runner
@testable import Jobs

import Postgres
import TestKit
import TestSupport
import Testing

/// Deliverers that work on their own, as those of a daemon, which can be cut off, frozen or gone.
extension PushScene {
  /// The workers of a process.
  func pool(_ job: DeliverPushes, word: UInt32 = 1) -> WorkerPool {
    let name = DaemonID(host: "host", process: 1, version: "1", settingsHash: "1", word: word)
    let member = WorkerPool.Member(job: job, policies: job.definition.policies)
    return WorkerPool(name: name, jobs: [member], zones: stage.zones)
  }

  /// Enters a run of one part of a job that is due now.
  func enterRun(of definition: JobDefinition = .deliverPushes) throws {
    let now = try stage.now
    let request = Ledger.RunRequest(
      definition.name, for: now, parts: 1, policies: definition.policies, by: "test")
    _ = try Ledger.enter(request, at: now, on: stage.connection)
  }

  /// Works once, with a connection of its own; returns how that ended.
  func work(_ pool: WorkerPool) throws -> String {
    var worker = Worker(of: pool, clock: stage.clock, on: try stage.database.connect())
    return "\(try #require(try worker.work().first?.end))"
  }

  /// Lets so much time go by that the part that somebody works at is taken from them.
  func loseLease() throws {
    try stage.pass(.seconds(60))
    let lost = try Ledger.rescue(
      [JobDefinition.deliverPushes.name], at: stage.now, on: stage.connection)
    #expect(lost.count == 1)
  }

  /// What ends every session with the database but the stage's own.
  var cutOff: @Sendable () -> Void {
    let (url, process) = (stage.database.url, stage.connection.backendProcess)
    return {
      _ = try? Connection(to: Server(url)).run(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), \(process))
        """)
    }
  }

  /// What gives the parts that somebody works at to another.
  var takePart: @Sendable () -> Void {
    let url = stage.database.url
    return { _ = try? Connection(to: Server(url)).run("UPDATE jobkit.part SET epoch = epoch + 1") }
  }
}
