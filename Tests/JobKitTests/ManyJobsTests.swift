import JobKit
import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@testable import Ledger
@testable import Runner

@Suite("Many jobs that come due together")
struct ManyJobsTests {
  private static let names: [JobName] = ["first", "second", "third", "fourth"]

  private static let members = names.map { name in
    WorkerPool.Member(job: Rehearsed(name: name) { _ in Outcome("done") }, policies: Policies())
  }

  /// A run of each job, all due; the later they are entered, the more urgent they are.
  private func stage() throws -> Stage {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    for (priority, name) in Self.names.enumerated() {
      try stage.enter(name) { $0.priority = priority }
    }
    return stage
  }

  private func worker(_ pool: WorkerPool, on stage: Stage) throws -> Worker {
    Worker(of: pool, clock: stage.clock, on: try stage.database.connect())
  }

  private func pool(on stage: Stage) -> WorkerPool {
    WorkerPool(name: .sample(1), jobs: Self.members, zones: stage.zones)
  }

  @Test func `are run in the order of their urgency, whoever looks`() throws {
    let stage = try stage()
    let pool = pool(on: stage)
    var one = try worker(pool, on: stage)
    var other = try worker(pool, on: stage)

    let runs = try [one.work(), other.work(), one.work(), other.work(), one.work()]

    #expect(runs.flatMap(\.self).map(\.part.job) == ["fourth", "third", "second", "first"])
  }

  @Test func `are seen by one look for all workers of a process`() throws {
    let stage = try stage()
    let pool = pool(on: stage)
    var worker = try worker(pool, on: stage)
    _ = try worker.work()

    // As another worker does which is about to claim it.
    let seen = pool.alsoDue.next()
    let next = try worker.work().map(\.part.job)
    let left = try [worker.work(), worker.work()].flatMap(\.self).map(\.part.job)

    #expect(seen == "third")
    #expect(next == ["second"])
    #expect(left == ["first", "third"])
  }

  @Test func `are looked at anew where other processes were faster`() throws {
    let stage = try stage()
    var worker = try worker(pool(on: stage), on: stage)
    _ = try worker.work()
    let taken = try stage.claim(3, of: ["third", "second"], by: 2).count
    try stage.enter("fourth")

    let next = try worker.work().map(\.part.job)
    let last = try worker.work().map(\.part.job)

    #expect(taken == 2)
    #expect(Set(next + last) == ["first", "fourth"])
  }

  @Test func `are counted ahead of their moment`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:30Z")
    let jobs = try [
      ScheduledJob.sample("first"), .sample("second"), .sample("third", every: .seconds(3600)),
    ]
    var scheduler = Scheduler(jobs, daemon: "host", clock: stage.clock)
    try scheduler.start(at: stage.now, on: stage.connection)

    let pass = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(pass.nextTick?.description == "2026-03-01T10:01:00Z")
    #expect(pass.jobsAtNextTick == 2)
  }
}
