@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import Testing

/// What it costs to look for runs in a ledger of many.
@Suite("The cost of a look")
struct ViewCostTests {
  private let stage: Stage

  /// A ledger of ten jobs and 50,000 runs, one every twenty seconds; the tenth job has none of them, and of
  /// five hundred runs one has failed.
  init() throws {
    stage = try Stage(at: "2026-12-31T12:00:00Z", filledAs: "ViewCostTests") { connection, now in
      try Ledger.enter(try (0..<10).map { try JobName("job_\($0)") }, at: now, on: connection)
      try connection.run(
        """
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, parts_left, decided_at,
          decided_by, started_at, finished_at)
        SELECT 'job_' || number % 9, moment, 'schedule', state, 'test', 0, moment, 'test',
          CASE WHEN state <> 'skipped' THEN moment END, moment
        FROM generate_series(1, 50000) AS number, LATERAL (SELECT
          \(now) - number * interval '20 seconds',
          CASE WHEN number % 500 = 0 THEN 'failed' WHEN number % 4 = 1 THEN 'skipped'
            ELSE 'succeeded' END) AS run (moment, state)
        """)
      try connection.run("ANALYZE jobkit.run")
    }
  }

  private func plan(
    id: Int? = nil, job: JobName? = nil, state: RunState? = nil, since: Instant? = nil
  ) throws -> ExplainedPlan {
    var filter = Ledger.RunFilter()
    (filter.id, filter.job, filter.state, filter.since) = (id, job, state, since)
    return try stage.plan(of: Ledger.newest(filter))
  }

  @Test func `runs of a number, a job, a state or a time are found without a walk through all`()
    throws
  {
    let now = try stage.now
    let plans = [
      try plan(id: 777), try plan(), try plan(job: "job_3"), try plan(state: .failed),
      try plan(since: now - .seconds(3600)),
      try plan(job: "job_3", state: .failed, since: now - .seconds(86_400)),
    ]

    // They are found in the order in which they were entered.
    #expect(plans[1].mentions("Index Scan Backward using run_pkey"), "\(plans[1])")
    // All runs are on more than a thousand pages.
    for plan in plans { #expect(try #require(plan.pages) < 400, "\(plan)") }
    #expect(try #require(plans[0].pages) < 20, "\(plans[0])")
  }

  @Test func `the run that was entered last is the first, whatever tick it is for`() throws {
    let now = try stage.now
    let entered: Int = try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, parts_left, decided_at,
        decided_by, started_at, finished_at)
      VALUES ('job_3', \(now - .seconds(864_000)), 'manual', 'failed', 'a Mishap', 0, \(now), 'ana',
        \(now), \(now))
      RETURNING id
      """
    ).only["id"]
    var filters = [Ledger.RunFilter](repeating: .init(), count: 4)
    filters[0].limit = 1
    filters[1].trigger = .manual
    filters[2].text = "mishap"
    filters[3].since = now - .seconds(1)

    for filter in filters {
      #expect(try Ledger.runs(filter, on: stage.connection).map(\.id) == [entered])
    }
  }

  @Test(arguments: [false, true])
  func `a survey asks for the newest runs of each job and for no others`(hasFailures: Bool) throws {
    if hasFailures {
      try stage.connection.run("UPDATE jobkit.run SET state = 'failed' WHERE state = 'succeeded'")
      try stage.connection.run("VACUUM ANALYZE jobkit.run")
    }
    let plan = try stage.plan(
      of: Ledger.surveying(
        by: "", havingCodeFor: [], newest: Ledger.fewRows, at: stage.now))

    #expect(!plan.mentions("Seq Scan on run"), "\(plan)")
    #expect(!plan.mentions("Seq Scan on part"), "\(plan)")
    #expect(try #require(plan.pages) < 400, "\(plan)")
  }

  @Test func `the jobs are shown without a walk through all runs, even one that never ran`()
    throws
  {
    let plan = try stage.plan(of: Ledger.everyJob)
    let jobs = try Ledger.jobs(on: stage.connection)

    #expect(try #require(plan.pages) < 300, "\(plan)")
    #expect(!plan.mentions("Seq Scan on run"), "\(plan)")
    #expect(jobs.count == 10 && jobs[9].lastRun == nil)
    // The newest tick of the second job was skipped.
    let newest = try stage.now - .seconds(200)
    #expect(jobs[1].lastRun == newest && jobs[1].lastState == .succeeded)
  }
}
