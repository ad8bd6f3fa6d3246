@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import Testing

/// What the report counts of a period.
@Suite("The activity of a period")
struct ActivityTests {
  /// A ledger in which a job of each minute missed every tick from 00:00 to 14:59, in one row.
  private func stage() throws -> Stage {
    let stage = try Stage(at: "2026-03-01T18:00:00Z")
    try Ledger.enter(["sample"], at: stage.now, on: stage.connection)
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, parts_left, decided_at,
        decided_by, finished_at, ticks, first_tick, fate)
      VALUES ('sample', '2026-03-01T14:59:00Z', 'schedule', 'collapsed', 'missed: nobody looked', 0,
        \(stage.now), 'test', \(stage.now), 900, '2026-03-01T00:00:00Z', 'missed')
      """)
    return stage
  }

  private func missed(
    _ start: String, _ end: String, by schedules: [JobName: Schedule], in stage: Stage
  ) throws -> Int? {
    try Ledger.activity(
      from: Instant(start), to: Instant(end), by: schedules, on: stage.connection)["sample"]?.missed
  }

  @Test(arguments: [
    ("2026-03-01T14:00:00Z", "2026-03-01T15:00:00Z", 60),
    ("2026-03-01T14:00:00Z", "2026-03-01T18:00:00Z", 60),
    ("2026-02-28T00:00:00Z", "2026-03-01T00:30:00Z", 30),
    ("2026-03-01T03:00:00Z", "2026-03-01T03:10:00Z", 10),
    ("2026-02-28T00:00:00Z", "2026-03-02T00:00:00Z", 900),
  ])
  func `of a row of many ticks those count that lie in the period`(
    start: String, end: String, count: Int
  ) throws {
    let stage = try stage()
    let everyMinute = Schedule(CronSchedule(try Cron("* * * * *"), in: .utc))

    #expect(try missed(start, end, by: ["sample": everyMinute], in: stage) == count)
  }

  @Test func `where the schedule has become another one they count by the time that they span`()
    throws
  {
    let stage = try stage()
    let hourly = Schedule(CronSchedule(try Cron("0 * * * *"), in: .utc))

    #expect(
      try missed("2026-03-01T00:00:00Z", "2026-03-01T07:30:00Z", by: ["sample": hourly], in: stage)
        == 451)
    #expect(
      try missed("2026-03-01T15:00:00Z", "2026-03-01T18:00:00Z", by: ["sample": hourly], in: stage)
        == nil)
  }

  /// How many failures count as fixed when a tick of 10:00 failed, and a run by hand for `moment` succeeded at `end`.
  private func fixed(byRunFor moment: String, endingAt end: String) throws -> Int? {
    let stage = try Stage(at: "2026-03-01T18:00:00Z")
    try Ledger.enter(["sample"], at: stage.now, on: stage.connection)
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts_left, decided_at, decided_by,
        started_at, finished_at)
      SELECT 'sample', moment::timestamptz, trigger, state, 0, moment::timestamptz, 'test',
        moment::timestamptz, ended::timestamptz
      FROM (VALUES
        ('2026-03-01T10:00:00Z', '2026-03-01T10:01:00Z', 'schedule', 'failed'),
        (\(moment), \(end), 'manual', 'succeeded')) AS run (moment, ended, trigger, state)
      """)
    return try Ledger.activity(
      from: Instant("2026-03-01T00:00:00Z"), to: Instant("2026-03-02T00:00:00Z"),
      on: stage.connection)["sample"]?.fixed
  }

  @Test(arguments: [
    ("2026-03-01T10:30:00Z", "2026-03-01T10:31:00Z", 1),
    ("2026-03-01T10:00:00Z", "2026-03-01T10:31:00Z", 1),
    ("2026-03-01T09:00:00Z", "2026-03-01T10:31:00Z", 0),
    ("2026-03-01T10:00:00Z", "2026-03-01T10:00:30Z", 0),
  ])
  func `a run by hand that succeeded since fixes what failed at its moment or before`(
    moment: String, end: String, count: Int
  ) throws {
    #expect(try fixed(byRunFor: moment, endingAt: end) == count)
  }
}
