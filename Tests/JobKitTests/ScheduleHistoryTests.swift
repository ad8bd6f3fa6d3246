@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import Testing

/// What a job was due at in the past, which may not be what it is due at now.
@Suite("Schedule history")
struct ScheduleHistoryTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T10:00:00Z")
  }

  private func audit(_ present: ScheduledJob) throws -> Audit {
    let (start, end) = (try Instant("2026-03-01T10:00:00Z"), try stage.now)
    let history = ScheduleHistory(
      try Ledger.schedules(of: present.name, on: stage.connection), present: present.schedule,
      knownSince: start, zones: stage.zones)
    return Audit(
      expecting: history.ticks(after: start, through: end, limit: 1000),
      found: try Ledger.ticks(of: present.name, after: start, through: end, on: stage.connection))
  }

  @Test func `an audit expects the ticks of the schedule of the time`() throws {
    let minutely = try ScheduledJob.sample { $0.overlap = .allow }
    let hourly = try ScheduledJob.sample(every: .seconds(3600)) { $0.overlap = .allow }
    var before = try stage.scheduler(minutely)
    for _ in 1...30 {
      try stage.pass(.seconds(60))
      _ = try before.pass(at: stage.now, on: stage.connection)
    }

    var after = try stage.scheduler(hourly)
    try stage.pass(.seconds(2 * 3600))
    _ = try after.pass(at: stage.now, on: stage.connection)
    let audit = try audit(hourly)

    #expect(audit.expected == 32)
    #expect(audit.isComplete && audit.foreign.isEmpty)
  }

  @Test func `a restart under the same schedule writes no history`() throws {
    for _ in 1...3 {
      var scheduler = try stage.scheduler(.sample { $0.overlap = .allow })
      try stage.pass(.seconds(60))
      _ = try scheduler.pass(at: stage.now, on: stage.connection)
    }

    #expect(try stage.count("SELECT count(*) FROM jobkit.schedule") == 1)
  }

  private func daily(at hour: Int) throws -> ScheduledJob {
    ScheduledJob(
      name: "sample", schedule: Schedule(CronSchedule(try Cron("0 \(hour) * * *"), in: .utc)))
  }

  @Test func `a schedule that was given up is over, though the new one has had no tick`() throws {
    var scheduler = try stage.scheduler(.sample(every: .seconds(3600)))
    try stage.pass(.seconds(3600))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    try stage.finish(stage.claimOne())
    try stage.pass(.seconds(1800))
    _ = try scheduler.change(to: [daily(at: 3)], at: stage.now, on: stage.connection)
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    try stage.pass(.seconds(4 * 3600))
    var restarted = try stage.scheduler(daily(at: 3))
    let pass = try restarted.pass(at: stage.now, on: stage.connection)

    #expect(try stage.runs() == ["2026-03-01T11:00:00Z succeeded"])
    #expect(pass.nextTick == (try Instant("2026-03-02T03:00:00Z")))
  }

  @Test func `what is left of a schedule is decided once, and then it is over`() throws {
    _ = try stage.scheduler(.sample(every: .seconds(3600)))
    try stage.pass(.seconds(9000))
    var second = try stage.scheduler(.sample(every: .seconds(3600)))
    _ = try second.pass(at: stage.now, on: stage.connection)
    try stage.pass(.seconds(3600))
    var other = try stage.scheduler(daily(at: 3))
    _ = try other.pass(at: stage.now, on: stage.connection)
    let runs = try stage.runs()

    try stage.pass(.seconds(2 * 3600))
    var restarted = try stage.scheduler(daily(at: 3))
    _ = try restarted.pass(at: stage.now, on: stage.connection)

    #expect(runs.count == 3)
    #expect(try stage.runs() == runs)
  }

  @Test func `a schedule that takes the place of one without a tick has none from before`() throws {
    var scheduler = try stage.scheduler(daily(at: 3))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    try stage.pass(.seconds(4 * 3600))
    var restarted = try stage.scheduler(daily(at: 12))
    _ = try restarted.pass(at: stage.now, on: stage.connection)

    #expect(try stage.runs() == [])
    #expect(try audit(daily(at: 12)).isComplete)
  }

  @Test func `the schedule of a job that was only run by hand begins with the first daemon`() throws
  {
    try Ledger.enter(["sample"], at: stage.now, on: stage.connection)
    try stage.pass(.seconds(601))
    let start = try stage.now
    var scheduler = try stage.scheduler(.sample())
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    let before = try stage.runs()
    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(before == [])
    #expect(try stage.runs() == ["2026-03-01T10:11:00Z due"])
    #expect(
      try Ledger.schedules(of: "sample", on: stage.connection).map(\.since) == [start])
    #expect(try audit(.sample()).missing.isEmpty)
  }

  @Test func `what a clock noted that was ahead is over when the clock is right`() throws {
    try stage.pass(.seconds(86_400))
    var ahead = try stage.scheduler(.sample(every: .seconds(3600)))
    _ = try ahead.pass(at: stage.now, on: stage.connection)
    try stage.pass(.seconds(-86_400))
    _ = try ahead.pass(at: stage.now, on: stage.connection)
    _ = try ahead.change(to: [daily(at: 3)], at: stage.now, on: stage.connection)
    _ = try ahead.pass(at: stage.now, on: stage.connection)

    try stage.pass(.seconds(4 * 3600))
    var restarted = try stage.scheduler(daily(at: 3))
    _ = try restarted.pass(at: stage.now, on: stage.connection)

    #expect(try stage.runs() == [])
  }

  @Test func `a tick that came again after the clock was set back is no stranger`() throws {
    let job = try ScheduledJob.sample { $0.overlap = .allow }
    var scheduler = try stage.scheduler(job)
    for _ in 1...5 {
      try stage.pass(.seconds(60))
      _ = try scheduler.pass(at: stage.now, on: stage.connection)
    }
    try stage.pass(.seconds(-180))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    for _ in 1...6 {
      try stage.pass(.seconds(60))
      _ = try scheduler.pass(at: stage.now, on: stage.connection)
    }

    let audit = try audit(job)

    #expect(
      try stage.count(
        "SELECT count(*) FROM jobkit.run WHERE scheduled_for <> date_trunc('second', scheduled_for)"
      ) > 0)
    #expect(audit.isComplete && audit.foreign.isEmpty)
  }

  @Test(arguments: [
    "30 2 * * *; Europe/Zurich; once", "0 */5 * * * *; UTC; skip_missing", "every 1h30m; UTC",
  ])
  func `a schedule that was written down can be read again`(written: String) throws {
    #expect(Schedule(written: written, zones: stage.zones)?.written == written)
  }

  @Test(arguments: [
    "", "30 2 * * *", "30 2 * * *; Europe/Atlantis; once", "30 2 * *; UTC; once", "every 0s; UTC",
  ])
  func `a schedule that cannot be read is none`(written: String) {
    #expect(Schedule(written: written, zones: stage.zones) == nil)
  }
}
