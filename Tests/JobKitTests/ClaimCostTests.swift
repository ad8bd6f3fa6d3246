@testable import JobKit

import LocalTime
import Postgres
import TestKit
import Testing

/// What it costs to ask for work while much of it has to wait.
@Suite("The cost of a claim")
struct ClaimCostTests {
  /// A ledger in which 10,000 runs of one job wait behind one that goes on.
  private func stage() throws -> Stage {
    let stage = try Stage(at: "2026-12-31T12:00:00Z")
    let now = try stage.now
    try Ledger.enter(["sample", "other"], at: now, on: stage.connection)
    try stage.connection.run(
      """
      WITH entered AS (
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by)
        SELECT 'sample', \(now) - number * interval '1 minute', 'backfill', 'due', \(now), 'test'
        FROM generate_series(1, 10001) AS number
        RETURNING id
      )
      INSERT INTO jobkit.part (run, number, job, state, not_before)
      SELECT id, 0, 'sample', 'due', \(now) FROM entered
      """)
    try stage.connection.run("ANALYZE jobkit.run, jobkit.part")
    return stage
  }

  @Test func `ten thousand runs that wait for one are not looked at one by one`() throws {
    let stage = try stage()
    let held = try stage.claim(of: ["sample", "other"])
    let claiming = Claiming(
      most: 1, jobs: ["sample", "other"], slots: [:], run: nil, worker: .sample(2),
      lease: .seconds(15), now: stage.clock.reading, isSafe: false)

    let plan: [String] = try stage.connection.run(
      "EXPLAIN (ANALYZE, BUFFERS, COSTS off, TIMING off, SUMMARY off) \(claiming.statement)"
    ).map { try $0[0] }

    let buffers = try #require(plan.first { $0.contains("Buffers: shared hit=") })
    let pages = try #require(buffers.firstMatch(of: /hit=(\d+)/).flatMap { Int($0.1) })
    #expect(held.count == 1)
    #expect(pages < 1000, "\(plan.joined(separator: "\n"))")
  }
}
