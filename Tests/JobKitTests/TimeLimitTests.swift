import JobKit
import LocalTime
import Postgres
import Runner
import TestKit
import Testing

@Suite("Time limits")
struct TimeLimitTests {
  /// What a job that works like this comes to under these limits.
  private func end(
    soft: Duration? = nil, hard: Duration? = nil,
    of work: @escaping @Sendable (inout JobContext) throws -> Outcome
  ) throws -> PartOutcome? {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample())
    stage.clock.turn(to: try Instant("2026-03-01T10:01:00Z"))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    var policies = Policies()
    (policies.softLimit, policies.hardLimit) = (soft, hard)
    policies.retry.tries = 1
    var worker = try stage.worker(
      1, WorkerPool.Member(job: Rehearsed(work: work), policies: policies))
    return try worker.work().first?.end
  }

  @Test(.timeLimit(.minutes(30)))
  func `a run over its soft limit stops at its next chunk and has failed`() throws {
    let end = try end(soft: .milliseconds(20)) { context in
      try context.inChunks { _, _ in .more }
      return Outcome("never")
    }

    guard case .failed(let error)? = end else {
      Issue.record("it \(String(describing: end))")
      return
    }
    #expect(error == "took longer than 20 ms")
  }

  @Test(.timeLimit(.minutes(30)))
  func `a run over its hard limit is cut off in the middle of a statement`() throws {
    let end = try end(hard: .milliseconds(20)) { context in
      try context.inChunks { connection, _ in
        try connection.run("SELECT pg_sleep(3600)")
        return .finished
      }
      return Outcome("never")
    }

    guard case .failed(let error)? = end else {
      Issue.record("it \(String(describing: end))")
      return
    }
    #expect(error == "took longer than 20 ms")
  }

  @Test func `a run within its limits is left alone`() throws {
    let end = try end(soft: .seconds(3600), hard: .seconds(3600)) { _ in Outcome("done") }

    guard case .succeeded? = end else {
      Issue.record("it \(String(describing: end))")
      return
    }
  }
}
