@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// Runs that would touch more or fewer than they may: somebody has to look before the first effect.
@Suite("Approval")
struct HoldTests {
  /// A job that plans as many as a test says, and counts its effects.
  private struct Planned: Job {
    let plans: @Sendable () throws -> Int?
    var definition: JobDefinition {
      JobDefinition(name: "sample", purpose: "is planned", schedule: .every(.seconds(60)))
    }

    func plan(_ context: borrowing JobContext) throws -> Int? { try plans() }

    func run(_ context: inout JobContext) throws -> Outcome {
      let planned = context.planned
      try context.inChunks { connection, progress in
        progress.total = planned
        try connection.run("INSERT INTO effect VALUES (1)")
        progress.done += 1
        return .finished
      }
      return Outcome("done")
    }
  }

  private func stage(parts: Int = 1) throws -> Stage {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.connection.run("CREATE TABLE effect (number bigint)")
    try stage.enter(parts: parts)
    return stage
  }

  private func worker(
    of stage: Stage, within bounds: Bounds, planning plans: @escaping @Sendable () throws -> Int?
  ) throws -> Worker {
    var policies = Policies()
    policies.bounds = bounds
    return try stage.worker(1, WorkerPool.Member(job: Planned(plans: plans), policies: policies))
  }

  private func effects(_ stage: Stage) throws -> Int {
    try stage.count("SELECT count(*) FROM effect")
  }

  @Test(arguments: [
    (Bounds(most: 100), 101, "would touch 101, more than 100"),
    (Bounds(fewest: 10), 9, "would touch 9, fewer than 10"),
  ])
  func `a run outside its bounds is held before its first effect`(
    bounds: Bounds, planned: Int, reason: String
  ) throws {
    let stage = try stage()
    var worker = try worker(of: stage, within: bounds) { planned }

    let turn = try worker.work().first
    let again = try worker.work()

    guard case .held = turn?.end else {
      Issue.record("\(String(describing: turn?.end))")
      return
    }
    #expect(again.isEmpty)
    #expect(try stage.state() == "held (\(reason)) due")
    #expect(try effects(stage) == 0)
    #expect(try stage.count("SELECT failures + worker_losses FROM jobkit.part") == 0)
  }

  @Test(arguments: [(1, 70), (2, nil)])
  func `a job of one part is told what it planned, and need not count it again`(
    parts: Int, told: Int?
  ) throws {
    let stage = try stage(parts: parts)
    var worker = try worker(of: stage, within: Bounds()) { 70 }

    _ = try worker.work()

    let known = try stage.connection.run("SELECT total FROM jobkit.part WHERE number = 0").only
    #expect(try known[0, as: Int?.self] == told)
  }

  @Test(arguments: [10, 100])
  func `a run at its bounds goes on, and the ledger remembers what it planned`(planned: Int) throws
  {
    let stage = try stage(parts: 2)
    let asked = Counter()
    var worker = try worker(of: stage, within: Bounds(fewest: 10, most: 100)) {
      _ = asked.next()
      return planned
    }

    while try !worker.work().isEmpty {}

    #expect(try stage.state() == "succeeded succeeded,succeeded")
    #expect(try stage.count("SELECT planned FROM jobkit.run") == planned)
    #expect(asked.value == 1)
  }

  @Test func `a run that was approved goes on as it planned, however late`() throws {
    let stage = try stage(parts: 2)
    try stage.connection.run("UPDATE jobkit.run SET start_before = \(stage.now + .seconds(60))")
    var worker = try worker(of: stage, within: Bounds(most: 100)) { 101 }
    _ = try worker.work()
    try stage.pass(.seconds(3600))

    let approved = try Ledger.approve(1, by: "ana", at: stage.now, on: stage.connection)
    let twice = try Ledger.approve(1, by: "ben", at: stage.now, on: stage.connection)
    let late = try Ledger.missLate(["sample"], at: stage.now, on: stage.connection)
    while try !worker.work().isEmpty {}

    #expect(approved && !twice && late.isEmpty)
    #expect(try stage.state() == "succeeded succeeded,succeeded")
    #expect(try effects(stage) == 2)
    #expect(try stage.text("SELECT approved_by FROM jobkit.run") == "ana")
  }

  @Test func `a held run can be cancelled instead`() throws {
    let stage = try stage()
    var worker = try worker(of: stage, within: Bounds(most: 100)) { 101 }
    _ = try worker.work()

    #expect(try Ledger.cancel(1, by: "ana", at: stage.now, on: stage.connection))
    #expect(try stage.state() == "cancelled (cancelled by ana) cancelled")
  }

  @Test func `a run cancelled while it was held is held again when it is retried`() throws {
    let stage = try stage()
    var worker = try worker(of: stage, within: Bounds(most: 100)) { 101 }
    _ = try worker.work()
    _ = try Ledger.cancel(1, by: "ana", at: stage.now, on: stage.connection)

    #expect(try Ledger.retry(1, at: stage.now, on: stage.connection))
    _ = try worker.work()

    #expect(try stage.state() == "held (would touch 101, more than 100) due")
    #expect(try effects(stage) == 0)
  }

  @Test func `a run that has had effects is not held, though it may touch fewer by now`() throws {
    let stage = try stage(parts: 2)
    var before = try worker(of: stage, within: Bounds(most: 200)) { 150 }
    var after = try worker(of: stage, within: Bounds(most: 100)) { 150 }

    _ = try before.work()
    _ = try after.work()

    #expect(try stage.state() == "succeeded succeeded,succeeded")
    #expect(try effects(stage) == 2)
  }

  @Test func `the ticks of a job of which a run is held are skipped`() throws {
    let stage = try stage()
    var scheduler = try stage.scheduler(.sample())
    var worker = try worker(of: stage, within: Bounds(most: 100)) { 101 }
    _ = try worker.work()

    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(
      try stage.runs().last
        == "2026-03-01T10:01:00Z skipped overlap: an earlier run is not over")
  }

  @Test(arguments: [Overlap.queueOne, .cancelOther])
  func `no tick goes beside a held run, or queues behind it`(overlap: Overlap) throws {
    let stage = try stage()
    var scheduler = try stage.scheduler(.sample { $0.overlap = overlap })
    var worker = try worker(of: stage, within: Bounds(most: 100)) { 101 }
    _ = try worker.work()

    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(try stage.runs().last?.hasPrefix("2026-03-01T10:01:00Z skipped overlap") == true)
    #expect(try worker.work().isEmpty)
  }

  @Test func `a part that planned more slowly does not undo an approval`() throws {
    let stage = try stage(parts: 2)
    let parts = try stage.claim(2)
    for part in parts.prefix(1) {
      try Ledger.hold(
        part.claim, planned: 101, because: "too many", at: stage.clock.reading, on: stage.connection
      )
    }
    _ = try Ledger.approve(1, by: "ana", at: stage.now, on: stage.connection)

    try Ledger.hold(
      parts[1].claim, planned: 102, because: "too many", at: stage.clock.reading,
      on: stage.connection)

    #expect(try stage.state() == "due due,due")
  }

  @Test func `a plan that fails is a failed try`() throws {
    let stage = try stage()
    var worker = try worker(of: stage, within: Bounds(most: 100)) { throw NoPlan() }

    _ = try worker.work()

    #expect(try stage.state() == "running due")
    #expect(try stage.text("SELECT failures || error FROM jobkit.part") == "1no plan")
    #expect(try effects(stage) == 0)
  }

  @Test(arguments: [(6, 1000, false), (7, 1000, true), (7, 300, false), (7, 301, true)])
  func `what is usual is the median of the latest runs, once there are seven`(
    runs: Int, planned: Int, isHeld: Bool
  ) throws {
    let stage = try stage()
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts_left, planned, decided_at,
        decided_by, started_at, finished_at)
      SELECT 'sample', now() - make_interval(days => number::integer), 'schedule', 'succeeded', 0,
        CASE number WHEN 1 THEN 5000 ELSE 100 END, now(), 'test', now(), now()
      FROM generate_series(1, \(runs)) AS number
      """)
    var worker = try worker(of: stage, within: Bounds(timesUsual: 3)) { planned }

    let turn = try worker.work().first

    let found = if case .held = turn?.end { true } else { false }
    #expect(found == isHeld)
  }
}

/// What goes wrong when a job plans.
private struct NoPlan: Error, CustomStringConvertible {
  var description: String { "no plan" }
}
