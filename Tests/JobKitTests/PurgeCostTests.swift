@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import Testing

/// What it costs to look for old runs in a ledger of many.
@Suite("The cost of a purge")
struct PurgeCostTests {
  /// A ledger of ten jobs and 40,000 runs, none of them old enough to be forgotten, but of one job that
  /// has not run for years the newest, which are kept.
  private func stage() throws -> Stage {
    let stage = try Stage(at: "2026-12-31T12:00:00Z")
    let now = try stage.now
    let names = try (0..<10).map { try JobName("job_\($0)") }
    try Ledger.enter(names, at: now, on: stage.connection)
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, parts_left, decided_at,
        decided_by, started_at, finished_at)
      SELECT 'job_' || number % 9, moment, 'schedule', state, 'test', 0, moment, 'test',
        CASE state WHEN 'succeeded' THEN moment END, moment
      FROM generate_series(1, 40000) AS number, LATERAL (SELECT
        \(now) - number * interval '20 seconds',
        CASE WHEN number % 4 = 0 THEN 'skipped' ELSE 'succeeded' END) AS run (moment, state)
      """)
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts_left, decided_at, decided_by,
        started_at, finished_at)
      SELECT 'job_9', moment, 'schedule', 'succeeded', 0, moment, 'test', moment, moment
      FROM generate_series(1001, 1050) AS age, LATERAL (SELECT \(now) - age * interval '1 day')
        AS run (moment)
      """)
    try stage.connection.run("ANALYZE jobkit.run")
    return stage
  }

  private func plan(of retention: Retention, on stage: Stage) throws -> ExplainedPlan {
    try stage.plan(of: Ledger.purging(retention, of: nil, limit: 1000, at: stage.now))
  }

  @Test func `where nothing is old enough, a purge reads a few pages`() throws {
    let plan = try plan(of: Retention(), on: stage())

    for index in ["successes_by_end", "failures_by_end", "never_ran_by_end"] {
      #expect(plan.mentions(index), "\(index)")
    }
    #expect(!plan.mentions("Seq Scan on run"))
    // Of more than a thousand: some twenty to find the newest fifty of each of ten jobs.
    #expect(try #require(plan.pages) < 300, "\(plan)")
  }

  @Test func `what is old is found by the indexes, in a batch`() throws {
    var retention = Retention()
    retention.succeeded = .seconds(86_400)

    let plan = try plan(of: retention, on: stage())

    #expect(plan.mentions("successes_by_end") && plan.mentions("one_row_a_tick"))
    #expect(plan.lines.first?.hasPrefix("Delete on run") == true)
    #expect(!plan.mentions("Seq Scan on run"), "\(plan)")
  }
}
