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
    stage = try Stage(at: "2026-12-31T12:00:00Z", filledAs: "AfterCostTests") { connection, now in
      try Ledger.enter(
        try (0..<50).map { try JobName("job_\($0)") } + ["settle"], at: now, on: connection)
      try connection.run(
        """
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts_left, decided_at, decided_by, started_at,
          finished_at)
        SELECT 'job_' || number % 50, moment, 'schedule', 'succeeded', 0, moment, 'test', moment, moment
        FROM generate_series(1, 100000) AS number,
          LATERAL (SELECT \(now) - number * interval '10 seconds') AS run (moment)
        """)
      try connection.run("ANALYZE jobkit.run, jobkit.job, jobkit.schedule")
    }
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

  private static let manyJobs: [JobName] =
    ["settle"] + (0..<50).compactMap { try? JobName("job_\($0)") }

  @Test func `while none waits, the look of each second costs two pages for all jobs`() throws {
    let plan = try stage.plan(of: "SELECT \(Ledger.hasWaitingTicks(of: Self.manyJobs))")

    #expect(try #require(plan.pages) <= 2, "\(plan)")
  }

  @Test func `those that wait of other daemons' jobs are not walked through by that look`() throws {
    try wait(of: "settle", ticks: 20_000)
    try wait(of: "job_9", ticks: 1)
    try stage.connection.run("ANALYZE jobkit.run")

    let others = Self.manyJobs.filter { !["settle", "job_9"].contains($0) }
    let plan = try stage.plan(of: "SELECT \(Ledger.hasWaitingTicks(of: others))")

    #expect(try #require(plan.pages) <= 12, "\(plan)")
    #expect(
      try [others, Self.manyJobs, ["settle"], ["job_9"]].map(hasWaitingTicks)
        == [false, true, true, true])
  }

  private func hasWaitingTicks(of jobs: [JobName]) throws -> Bool {
    try stage.connection.run("SELECT \(Ledger.hasWaitingTicks(of: jobs))").only[0]
  }

  /// Lets ticks of a job wait for one that is not decided; the last of them need wait no longer.
  private func wait(of job: JobName, ticks: Int) throws {
    let now = try stage.now
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, after_jobs, after_ticks,
        after_until, after_failed, after_missing)
      SELECT \(job), \(now) + n * interval '1 second', 'schedule', 'waiting', \(now), 'test', '{job_1}',
        ARRAY[\(now) + CASE WHEN n = \(ticks) THEN -1 ELSE 1 END * interval '1 hour'], \(now + .seconds(60)),
        'wait', 'wait'
      FROM generate_series(1, \(ticks)) AS n
      """)
  }

  @Test func `nor does it where many requests wait`() throws {
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by)
      SELECT 'settle', \(try stage.now), 'request', 'waiting', \(try stage.now), 'test'
      FROM generate_series(1, 20000)
      """)
    try stage.connection.run("ANALYZE jobkit.run")

    let plan = try stage.plan(of: "SELECT \(Ledger.hasWaitingTicks(of: Self.manyJobs))")
    let statements = Ledger.selectForDecision(of: "settle", at: try stage.now)
    let decision = try stage.plan(of: try #require(statements.last))

    #expect(try #require(plan.pages) <= 2, "\(plan)")
    #expect(try #require(decision.pages) <= 25, "\(decision)")
  }

  @Test(arguments: [(2500, [0, 0, 1]), (2000, [0, 1]), (1000, [1]), (0, [0])])
  func `a thousand are looked at in a statement, and the next goes on behind them`(
    ticks: Int, expected: [Int]
  ) throws {
    try wait(of: "settle", ticks: ticks)
    let jobs = [try ScheduledJob.sample("settle")]
    var (place, decided) = (Ledger.WaitingPlace?.none, [Int]())

    repeat {
      decided.append(
        try Ledger.decideWaiting(jobs, after: &place, at: stage.now, on: stage.connection).count)
    } while place != nil

    #expect(decided == expected)
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
