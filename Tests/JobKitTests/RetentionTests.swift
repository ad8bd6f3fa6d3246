@testable import JobKit

import LocalTime
import Postgres
import TestKit
import Testing

@Suite("Retention")
struct RetentionTests {
  /// A ledger with a run of each of these states for each of these ages in days, at noon of 2026-12-31.
  private func stage(_ states: String..., ages: [Int]) throws -> Stage {
    let stage = try Stage(at: "2026-12-31T12:00:00Z")
    let now = try stage.now
    try Ledger.enter(["sample"], at: now, on: stage.connection)
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, parts, parts_left,
        decided_at, decided_by, started_at, finished_at)
      SELECT 'sample', moment, 'manual', state, 'test', 1, is_open::integer, moment, 'test',
        CASE WHEN state IN ('running', 'succeeded') THEN moment END,
        CASE WHEN NOT is_open THEN moment END
      FROM unnest(\(states)) AS state, unnest(\(ages)) AS age,
        LATERAL (SELECT \(now) - age * interval '1 day', state IN ('due', 'running'))
          AS run (moment, is_open)
      """)
    return stage
  }

  @Test(arguments: [
    ("skipped", [29, 30], [31]), ("missed", [29], [31]), ("succeeded", [31, 89], [91]),
    ("cancelled", [89], [91]), ("failed", [91, 179], [181]),
  ])
  func `a run is remembered as long as its outcome deserves`(
    state: String, kept: [Int], forgotten: [Int]
  ) throws {
    let stage = try stage(state, ages: kept + forgotten)

    let deleted = try Ledger.purge(Retention(), at: stage.now, on: stage.connection)

    #expect(deleted == forgotten.count)
    #expect(try stage.runs().count == kept.count)
  }

  @Test(arguments: ["due", "running"])
  func `a run that is not over is never forgotten`(state: String) throws {
    let stage = try stage(state, ages: [1000])

    #expect(try Ledger.purge(Retention(), at: stage.now, on: stage.connection) == 0)
  }

  @Test func `the runs of a job are forgotten by who has code for it`() throws {
    let stage = try stage("succeeded", "failed", ages: [91, 181])
    let now = try stage.now
    func purge(_ jobs: [JobName]) throws -> Int {
      try Ledger.purge(Retention(), of: jobs, at: now, on: stage.connection)
    }
    try Ledger.showAlive(
      .sample(7), jobs: ["sample"], draining: false, at: now, on: stage.connection)

    #expect(try purge(["other"]) == 0)
    try Ledger.forget(.sample(7), at: now, on: stage.connection)
    #expect(try purge(["other"]) == 2, "of nobody's jobs only what is older than anything may be")
    #expect(try purge(["sample"]) == 1)
    #expect(try stage.runs() == ["2026-10-01T12:00:00Z failed test"])
  }

  @Test func `a batch is no larger than it may be, and the oldest go first`() throws {
    let stage = try stage("succeeded", ages: [100, 200, 300])

    #expect(try Ledger.purge(Retention(), limit: 2, at: stage.now, on: stage.connection) == 2)
    #expect(try stage.runs() == ["2026-09-22T12:00:00Z succeeded test"])
  }
}
