@testable import JobKit
@testable import Ledger
@testable import Runner

import TestKit
import Testing

extension PushScene {
  /// Runs a job in one part, by a worker of its own; returns how that ended, in the words of the log.
  func outcome(of job: some Job) throws -> String {
    let (definition, now) = (job.definition, try stage.now)
    let request = Ledger.RunRequest(
      definition.name, for: now, parts: 1, policies: definition.policies, by: "test")
    _ = try Ledger.enter(request, at: now, on: stage.connection)
    var worker = try stage.worker(1, WorkerPool.Member(job: job, policies: definition.policies))
    return "\(try #require(try worker.work().first?.end))"
  }
}
