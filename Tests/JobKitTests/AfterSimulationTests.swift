import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

/// A chain of jobs in a simulated hour.
@Suite("A simulated chain of jobs")
struct AfterSimulationTests {
  private struct Mishap: Error {}

  /// Simulates `load`, whose run of ten past ten fails for good, and `settle` behind it, for half an hour.
  private func simulate(_ after: After) throws -> Stage {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let bad = try Instant("2026-03-01T10:10:00Z")
    let load = try ScheduledJob.sample("load", every: .seconds(600)) { $0.retry.tries = 1 }
    let settle = try ScheduledJob.sample("settle", every: .seconds(600), after: after)
    let pool = WorkerPool(
      name: .sample(1),
      jobs: [
        WorkerPool.Member(
          job: Rehearsed(name: "load") { context in
            if context.scheduledFor == bad { throw Mishap() }
            return Outcome("done")
          }, policies: load.policies),
        WorkerPool.Member(
          job: Rehearsed(name: "settle") { _ in Outcome("done") }, policies: settle.policies),
      ], zones: stage.zones)
    var simulation = try Simulation.start(
      [settle, load], pool: pool, at: stage.now, on: Server(stage.database.url))
    try simulation.run(through: try Instant("2026-03-01T10:30:00Z"))
    return stage
  }

  @Test func `each tick waits for the one before it, and is skipped when that has failed`() throws {
    let stage = try simulate(After(["load"]))

    #expect(
      try stage.runs(of: "settle") == [
        "2026-03-01T10:10:00Z skipped it comes after load, whose run 2 failed",
        "2026-03-01T10:20:00Z succeeded", "2026-03-01T10:30:00Z succeeded",
      ])
  }

  @Test func `a tick that waits in vain is missed when its time is over, and not later`() throws {
    let stage = try simulate(After(["load"], limit: .seconds(150), failed: .wait))

    #expect(
      try stage.runs(of: "settle").first
        == "2026-03-01T10:10:00Z missed it waited for too long for load, whose run 2 failed")
    #expect(
      try stage.text(
        "SELECT max(finished_at - scheduled_for)::text FROM jobkit.run WHERE state = 'missed'")
        == "00:02:30")
  }
}
