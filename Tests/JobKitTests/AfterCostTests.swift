@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import Testing

/// What it costs to look at ticks that wait for other jobs.
@Suite("The cost of ticks that wait")
struct AfterCostTests {
  private let stage: Stage

  /// A ledger of fifty jobs and 100,000 runs, a run every ten seconds.
  init() throws {
    stage = try Stage(at: "2026-12-31T12:00:00Z")
    let now = try stage.now
    try Ledger.enter(
      try (0..<50).map { try JobName("job_\($0)") } + ["settle"], at: now, on: stage.connection)
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts_left, decided_at, decided_by, started_at,
        finished_at)
      SELECT 'job_' || number % 50, moment, 'schedule', 'succeeded', 0, moment, 'test', moment, moment
      FROM generate_series(1, 100000) AS number,
        LATERAL (SELECT \(now) - number * interval '10 seconds') AS run (moment)
      """)
    try stage.connection.run("ANALYZE jobkit.run, jobkit.job, jobkit.schedule")
  }

  private func wait(for jobs: Int) throws {
    let (now, names) = (try stage.now, (0..<jobs).map { "job_\($0)" })
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, after_jobs, after_ticks,
        after_until, after_failed, after_missing)
      SELECT 'settle', \(now), 'schedule', 'waiting', \(now), 'test', \(names),
        array_agg(\(now) - interval '1 hour'), \(now + .seconds(60)), 'wait', 'wait'
      FROM generate_series(1, \(jobs))
      """)
  }

  @Test func `while none waits, the look of each second costs a page or two more`() throws {
    let plan = try stage.plan(of: "SELECT \(Ledger.hasWaitingTicks(of: ["job_1", "settle"]))")

    #expect(try #require(plan.pages) <= 3, "\(plan)")
  }

  @Test func `the runs of a job that is waited for are not walked through`() throws {
    try wait(for: 20)
    let jobs = [try ScheduledJob.sample("settle")]

    let plan = try stage.plan(of: Ledger.decidingWaiting(jobs, at: stage.now))

    #expect(try stage.text("SELECT state FROM jobkit.run WHERE job = 'settle'") == "due")
    // All runs are on more than two thousand pages.
    #expect(try #require(plan.pages) < 500, "\(plan)")
  }

  @Test func `what a run waits for is shown without a walk through all`() throws {
    try wait(for: 20)
    var filter = Ledger.RunFilter()
    filter.state = .waiting

    let plan = try stage.plan(of: Ledger.newest(filter))

    #expect(try #require(plan.pages) < 400, "\(plan)")
  }
}
