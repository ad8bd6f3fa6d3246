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

  @Test func `while none waits, the look of each second costs two pages more for each job`() throws
  {
    let plan = try stage.plan(of: "SELECT \(Ledger.hasWaitingTicks(of: ["job_1", "settle"]))")

    #expect(try #require(plan.pages) <= 4, "\(plan)")
  }

  @Test func `nor does it where many requests wait`() throws {
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by)
      SELECT 'settle', \(try stage.now), 'request', 'waiting', \(try stage.now), 'test'
      FROM generate_series(1, 20000)
      """)
    try stage.connection.run("ANALYZE jobkit.run")

    let plan = try stage.plan(of: "SELECT \(Ledger.hasWaitingTicks(of: ["job_1", "settle"]))")
    let statements = Ledger.selectForDecision(of: "settle", at: try stage.now)
    let decision = try stage.plan(of: try #require(statements.last))

    #expect(try #require(plan.pages) <= 4, "\(plan)")
    #expect(try #require(decision.pages) <= 25, "\(decision)")
  }

  @Test func `a thousand are looked at in a statement, and the next goes on behind them`() throws {
    let now = try stage.now
    // The last of them need wait no longer; the tick of which the others wait for is not decided.
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, after_jobs, after_ticks,
        after_until, after_failed, after_missing)
      SELECT 'settle', \(now) + n * interval '1 second', 'schedule', 'waiting', \(now), 'test', '{job_1}',
        ARRAY[\(now) + CASE WHEN n = 2500 THEN -1 ELSE 1 END * interval '1 hour'], \(now + .seconds(60)), 'wait', 'wait'
      FROM generate_series(1, 2500) AS n
      """)
    let jobs = [try ScheduledJob.sample("settle")]
    var (place, decided) = (Ledger.WaitingPlace?.none, [Int]())

    repeat {
      decided.append(
        try Ledger.decideWaiting(jobs, after: &place, at: now, on: stage.connection).count)
    } while place != nil

    #expect(decided == [0, 0, 1])
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
