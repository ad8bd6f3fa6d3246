@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import Testing

/// What it costs each second to look whether a job in trouble has succeeded, when it has long been paused.
@Suite("The cost of an incident")
struct IncidentCostTests {
  private let stage: Stage

  /// A job that failed six weeks ago and was then paused, so that each of its minutes since was skipped,
  /// beside one that succeeds every ten minutes.
  init() throws {
    stage = try Stage(at: "2026-12-31T12:00:00Z")
    let now = try stage.now
    try Ledger.enter(["sample", "other"], at: now, on: stage.connection)
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, parts_left, decided_at,
        decided_by, started_at, finished_at)
      SELECT job, moment, 'schedule', CASE job WHEN 'other' THEN 'succeeded' ELSE 'skipped' END, 'test',
        0, moment, 'test', CASE job WHEN 'other' THEN moment END, moment
      FROM generate_series(60000, 1, -1) AS minute, LATERAL (SELECT
        CASE WHEN minute % 10 = 0 THEN 'other' ELSE 'sample' END,
        \(now) - minute * interval '1 minute') AS run (job, moment)
      """)
    try stage.connection.run(
      """
      INSERT INTO jobkit.incident (job, since, until, failures)
      VALUES ('sample', \(now - .seconds(61_000 * 60)), \(now - .seconds(60_500 * 60)), 1)
      """)
    try stage.connection.run("ANALYZE jobkit.run")
  }

  @Test func `all that was skipped since is not walked through`() throws {
    let plan = try stage.plan(
      of: """
        SELECT \(Ledger.hasNews(for: Stage.watch)) AS has_news
        FROM (SELECT \(try stage.now) AS now) AS clock
        """)

    // All runs are on more than a thousand pages.
    #expect(try #require(plan.pages) < 300, "\(plan)")
    #expect(try !stage.hasNews())
  }

  @Test(arguments: ["1 minute", "60400 minutes"])
  func `a success is heard of, be it of the newest tick or of a run that has gone on for long`(
    age: String
  ) throws {
    let now = try stage.now
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts_left, decided_at, decided_by,
        started_at, finished_at)
      SELECT 'sample', moment + interval '1 second', 'schedule', 'succeeded', 0, moment, 'test', moment,
        \(now)
      FROM (SELECT \(now) - \(age)::interval AS moment) AS run
      """)

    #expect(try stage.hasNews())
    #expect(try stage.claimMessages().map(\.event) == [.recovered])
  }
}
