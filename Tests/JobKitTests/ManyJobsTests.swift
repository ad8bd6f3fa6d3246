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

  @Test func `are not run in the place of what comes due and is heard of`() throws {
    let stage = try stage()
    let pool = pool(on: stage)
    let daemon = Daemon(
      pool: pool, jobs: [], workers: 1, server: try Server(stage.database.url), clock: stage.clock)
    var worker = try worker(pool, on: stage)
    _ = try worker.work()
    try stage.enter("fourth") { $0.priority = 9 }

    daemon.wakeWorkers(for: 1)
    let next = try worker.work().map(\.part.job)

    #expect(next == ["fourth"])
  }

  @Test func `are not run in the place of the next run of a job that is more urgent`() throws {
    let stage = try stage()
    try stage.enter("fourth") { $0.priority = 3 }
    var worker = try worker(pool(on: stage), on: stage)

    let runs = try [worker.work(), worker.work(), worker.work()]

    #expect(runs.flatMap(\.self).map(\.part.job) == ["fourth", "fourth", "third"])
  }

  @Test func `are not run in the place of a part that waited for a slot`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter("fourth", parts: 2) { $0.priority = 3 }
    try stage.enter("third")
    var policies = Policies()
    policies.parallelParts = 1
    let limited = WorkerPool.Member(
      job: Rehearsed(name: "fourth") { _ in Outcome("done") }, policies: policies)
    let pool = WorkerPool(
      name: .sample(1), jobs: [limited] + Self.members, zones: stage.zones)
    var worker = try worker(pool, on: stage)
    // As a look sees them while the job has a part in its one slot.
    pool.alsoDue.note(["fourth", "third"], besides: nil, since: .now)

    let runs = try [worker.work(), worker.work(), worker.work()]

    #expect(runs.flatMap(\.self).map(\.part.job) == ["fourth", "fourth", "third"])
  }

  @Test func `are seen by a look for a tenth of a second at most`() {
    let (seen, soon) = (AlsoDue(), ContinuousClock.now + .seconds(60))
    seen.note(["first", "second"], besides: nil, since: soon)

    let inTime = seen.next(at: soon + .milliseconds(99))
    let late = seen.next(at: soon + .milliseconds(100))

    #expect(inTime == "first")
    #expect(late == nil)
  }

  @Test func `are seen by the newest look, and by none that began before they were forgotten`() {
    let (seen, soon) = (AlsoDue(), ContinuousClock.now + .seconds(60))
    seen.note(["first"], besides: nil, since: soon)
    seen.note(["second"], besides: nil, since: soon - .seconds(1))
    let newest = seen.next()
    let began = ContinuousClock.now - .seconds(1)

    seen.forget()
    seen.note(["third"], besides: nil, since: began)

    #expect(newest == "first")
    #expect(seen.next() == nil)
  }

  @Test func `are passed over once where nothing may be claimed any more`() {
    let seen = AlsoDue()
    seen.note(
      ["fourth", "first", "first", "second", "first"], besides: "fourth",
      since: .now + .seconds(60))

    let missed = seen.next()
    seen.leave("first")

    #expect(missed == "first")
    #expect(seen.next() == "second")
    #expect(seen.next() == nil)
  }

  @Test func `are looked for by one worker at a time, and the next goes by what that one has seen`()
    throws
  {
    let seen = AlsoDue()
    let first = seen.beginLook()
    let inVain = seen.beginLook(orWait: .zero)
    let next = TestThread {
      let turn = seen.beginLook(orWait: .hang)
      if turn == .begun { seen.endLook() }
      return (turn, seen.next())
    }

    seen.note(["second"], besides: nil, since: .now + .seconds(60))
    seen.endLook()
    let (turn, job) = try next.value()

    #expect(first == .begun && inVain == .inVain)
    #expect(turn != .inVain && job == "second")
    #expect((0..<2).map { _ in seen.beginLook(orWait: .zero) } == [.begun, .inVain])
    seen.endLook()
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
