@testable import JobKit
@testable import Ledger
@testable import Runner

import Glibc
import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// Jobs whose parts are so tiny that a worker takes many of them at once.
@Suite("Batches")
struct BatchTests {
  private func member(
    _ batch: Int, _ work: @escaping @Sendable (inout JobContext) throws -> Outcome
  ) -> WorkerPool.Member {
    var policies = Policies()
    policies.batch = batch
    return WorkerPool.Member(job: Rehearsed(work: work), policies: policies)
  }

  @Test func `a worker takes a batch of parts of one run, and ends them together`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 5)
    var worker = try stage.worker(1, member(3) { _ in Outcome("done") })

    let sizes = try (1...3).map { _ in try worker.work().count }

    #expect(sizes == [3, 2, 0])
    #expect(
      try stage.state() == "succeeded "
        + Array(repeating: "succeeded", count: 5).joined(separator: ","))
    #expect(try stage.contradictions().isEmpty)
  }

  @Test func `a part of a batch that fails, fails alone`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 4)
    var worker = try stage.worker(
      1,
      member(4) { context in
        if context.part.number == 2 { throw Stopped.cancelled }
        return Outcome("done")
      })

    _ = try worker.work()

    #expect(
      try stage.state()
        == "cancelled (cancelled by the job itself) succeeded,succeeded,cancelled,succeeded")
  }

  @Test func `parts of a batch that were taken meanwhile are not ended`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 3)
    let database = stage.database
    var worker = try stage.worker(
      1,
      member(3) { context in
        if context.part.number == 2 {
          try database.connect().run("UPDATE jobkit.part SET epoch = epoch + 1 WHERE number = 1")
        }
        return Outcome("done")
      })

    let turns = try worker.work()

    let lost = turns.filter { if case .lost = $0.end { true } else { false } }
    #expect(lost.map(\.part.fence.part) == [1])
    #expect(try stage.state() == "running succeeded,running,succeeded")
  }

  @Test func `what a batch has not begun when the daemon drains is released`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 3)
    let pool = Box<ActiveParts>()
    var worker = try stage.worker(
      1,
      member(3) { _ in
        pool.value?.ask(.drained)
        return Outcome("done")
      })
    pool.value = worker.activeParts

    _ = try worker.work()

    #expect(try stage.state() == "running succeeded,due,due")
    #expect(try stage.count("SELECT sum(failures + worker_losses) FROM jobkit.part") == 0)
  }

  @Test func `a batch takes no descriptor for each of its parts`() async {
    await #expect(processExitsWith: .success) {
      let stage = try Stage(at: "2026-03-01T10:00:00Z")
      try stage.enter(parts: 200)
      var policies = Policies()
      policies.batch = 200
      (policies.softLimit, policies.hardLimit) = (.seconds(3600), .seconds(3600))
      let most = Box<Int>()
      let job = Rehearsed { _ in
        most.value = max(most.value ?? 0, descriptors())
        return Outcome("done")
      }
      var worker = try stage.worker(1, WorkerPool.Member(job: job, policies: policies))
      let before = descriptors()

      let parts = try worker.work().count

      let meanwhile = try #require(most.value)
      try #require(parts == 200)
      // What keeps the time has some of its own.
      try #require(meanwhile < before + 20)
    }
  }
}

/// The number of descriptors that this process has open.
private func descriptors() -> Int {
  (0..<1024).count { fcntl($0, F_GETFD) >= 0 }
}
