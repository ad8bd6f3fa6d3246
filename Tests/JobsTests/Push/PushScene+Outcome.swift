@testable import JobKit
@testable import Ledger
@testable import Runner

import TestKit
import Testing

extension PushScene {
  /// Runs a job in one part, by a worker of its own; returns how that ended, in the words of the log.
  func outcome(of job: some Job) throws -> String {
    try enterRun(of: job.definition)
    var worker = try stage.worker(1, WorkerPool.Member(job: job, policies: job.definition.policies))
    return "\(try #require(try worker.work().first?.end))"
  }
}
