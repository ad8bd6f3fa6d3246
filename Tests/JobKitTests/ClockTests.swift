import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import Testing

@Suite("Clock steps and long silence")
struct ClockTests {
  /// A scheduler that has decided every minute from ten up to `minutes` past.
  private func decided(
    _ stage: Stage, _ job: ScheduledJob, minutes: Int
  ) throws -> Scheduler {
    var scheduler = try stage.scheduler(job)
    for minute in 1...minutes {
      stage.clock.turn(to: try Instant("2026-03-01T10:00:00Z") + .seconds(60 * minute))
      _ = try scheduler.pass(at: stage.now, on: stage.connection)
    }
    return scheduler
  }

  @Test func `a clock set back by less than a minute fires no tick twice`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try decided(stage, .sample { $0.overlap = .allow }, minutes: 3)

    stage.clock.turn(to: try Instant("2026-03-01T10:02:00Z"))
    let back = try scheduler.pass(at: stage.now, on: stage.connection)
    stage.clock.turn(to: try Instant("2026-03-01T10:04:00Z"))
    let on = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(back.decided.isEmpty && back.clockSteps.isEmpty)
    #expect(on.decided.map(\.ticks.count) == [1])
    #expect(try stage.runs() == (1...4).map { "2026-03-01T10:0\($0):00Z due" })
  }

  @Test(arguments: [true, false])
  func `a rhythm beats on when the clock is set back by an hour`(isRestarted: Bool) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let job = try ScheduledJob.sample { $0.overlap = .allow }
    var scheduler = try decided(stage, job, minutes: 3)

    stage.clock.turn(to: try Instant("2026-03-01T10:01:30Z"))
    if isRestarted { scheduler = try stage.scheduler(job) }
    let back = try scheduler.pass(at: stage.now, on: stage.connection)
    for minute in 2...4 {
      stage.clock.turn(to: try Instant("2026-03-01T10:0\(minute):00Z"))
      _ = try scheduler.pass(at: stage.now, on: stage.connection)
    }

    #expect(
      back.clockSteps.map { "\($0.step)" } == [
        "the clock was set back: ticks are decided up to 2026-03-01T10:03:00Z and it is"
          + " 2026-03-01T10:01:30Z; the job goes on from now"
      ])
    #expect(
      try stage.runs() == [
        "2026-03-01T10:01:00Z due", "2026-03-01T10:02:00Z due", "2026-03-01T10:02:00.000001Z due",
        "2026-03-01T10:03:00Z due", "2026-03-01T10:03:00.000001Z due", "2026-03-01T10:04:00Z due",
      ])
  }

  @Test func `who was frozen since it read the clock does not take it to have been set back`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let job = try ScheduledJob.sample { $0.overlap = .allow }
    var frozen = Scheduler([job], daemon: "frozen", clock: stage.clock)
    try frozen.start(at: stage.now, on: stage.connection)
    let read = try Instant("2026-03-01T10:01:00Z")
    _ = try decided(stage, job, minutes: 5)

    let late = try frozen.pass(at: read, on: stage.connection)
    stage.clock.turn(to: try Instant("2026-03-01T10:06:00Z"))
    let next = try frozen.pass(at: stage.now, on: stage.connection)

    #expect(late.clockSteps.isEmpty && late.decided.isEmpty)
    #expect(next.decided.map(\.ticks.count) == [1])
    #expect(try stage.runs() == (1...6).map { "2026-03-01T10:0\($0):00Z due" })
  }

  @Test func `times on the wall do not come again when the clock is set back`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.daily("30 10 * * *"))
    stage.clock.turn(to: try Instant("2026-03-01T10:30:00Z"))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    for moment in ["2026-03-01T09:30:00Z", "2026-03-01T10:30:00Z", "2026-03-02T10:30:00Z"] {
      stage.clock.turn(to: try Instant(moment))
      let pass = try scheduler.pass(at: stage.now, on: stage.connection)
      #expect(pass.clockSteps.isEmpty)
    }

    #expect(
      try stage.runs() == ["2026-03-01T10:30:00Z due", "2026-03-02T10:30:00Z due"])
  }

  @Test func `a cursor more than a day ahead is an alarm, and the job lives on`() throws {
    let stage = try Stage(at: "2031-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.daily("30 10 * * *"))
    stage.clock.turn(to: try Instant("2031-03-01T10:30:00Z"))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    stage.clock.turn(to: try Instant("2026-03-01T10:00:00Z"))
    let back = try scheduler.pass(at: stage.now, on: stage.connection)
    let second = try scheduler.pass(at: stage.now, on: stage.connection)
    stage.clock.turn(to: try Instant("2026-03-01T10:30:00Z"))
    let tick = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(
      back.clockSteps.map { "\($0.step)" } == [
        "the clock was set back: ticks are decided up to 2031-03-01T10:30:00Z and it is"
          + " 2026-03-01T10:00:00Z; the job goes on from now"
      ])
    #expect(second.clockSteps.isEmpty)
    #expect(tick.decided.map { $0.ticks.map(\.scheduledFor) } == [[try stage.now]])
  }

  @Test func `what a clock that was ahead has written off fires when its day comes, and only once`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.daily("30 10 * * *"))

    for moment in [
      "2026-03-11T12:00:00Z", "2026-03-01T10:05:00Z", "2026-03-01T10:30:00Z",
      "2026-03-02T10:30:00Z", "2026-03-01T10:05:00Z", "2026-03-01T10:30:00Z",
      "2026-03-02T10:30:00Z", "2026-03-03T10:30:00Z",
    ] {
      stage.clock.turn(to: try Instant(moment))
      _ = try scheduler.pass(at: stage.now, on: stage.connection)
    }

    let runs = try stage.runs()
    #expect(
      runs.filter { $0.hasSuffix(" due") } == [
        "2026-03-01T10:30:00.000001Z due", "2026-03-02T10:30:00.000001Z due",
        "2026-03-03T10:30:00.000001Z due", "2026-03-11T10:30:00Z due",
      ])
    #expect(runs.count == 14)
  }

  @Test func `what ran while the clock was ahead does not run again when its day comes`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.daily("30 10 * * *"))

    for moment in ["2026-03-03T10:30:00Z", "2026-03-01T10:05:00Z", "2026-03-03T10:30:00Z"] {
      stage.clock.turn(to: try Instant(moment))
      _ = try scheduler.pass(at: stage.now, on: stage.connection)
    }

    let due = try stage.runs().filter { $0.hasSuffix(" due") }
    #expect(due == ["2026-03-03T10:30:00Z due"])
  }

  @Test func `a schedule that was taken on while the clock was ahead is in force once it is right`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.daily("30 10 * * *"))
    stage.clock.turn(to: try Instant("2026-03-11T12:00:00Z"))
    _ = try scheduler.change(
      to: [.daily("45 10 * * *")], at: stage.now, on: stage.connection)

    for moment in ["2026-03-01T10:00:00Z", "2026-03-01T10:45:00Z", "2026-03-02T10:45:00Z"] {
      stage.clock.turn(to: try Instant(moment))
      _ = try scheduler.pass(at: stage.now, on: stage.connection)
    }

    #expect(
      try stage.runs().filter { $0.hasSuffix(" due") } == [
        "2026-03-01T10:45:00Z due", "2026-03-02T10:45:00Z due", "2026-03-11T10:30:00Z due",
      ])
  }

  @Test func `a clock that jumps forward is a long silence`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample())

    stage.clock.turn(to: try Instant("2026-03-01T10:03:10Z"))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    let missed = "missed no daemon was looking; the newest tick runs in its place"
    #expect(
      try stage.runs() == [
        "2026-03-01T10:01:00Z \(missed)", "2026-03-01T10:02:00Z \(missed)",
        "2026-03-01T10:03:00Z due",
      ])
  }

  @Test func `a year down tells the ticks of a pause apart from those before and after`() throws {
    let stage = try Stage(at: "2025-03-01T10:00:00Z")
    let job = try ScheduledJob.sample(every: .seconds(1))
    _ = try stage.scheduler(job)
    let pause = Pause(
      since: try Instant("2025-04-01T00:00:00Z"), author: "ana", reason: "no",
      until: try Instant("2025-05-01T00:00:00Z"))
    #expect(try Ledger.pause("sample", pause, on: stage.connection))

    stage.clock.turn(to: try Instant("2026-03-01T10:00:00Z"))
    var restarted = try stage.scheduler(job)
    _ = try restarted.pass(at: stage.now, on: stage.connection)

    #expect(
      try stage.count(
        "SELECT sum(ticks)::bigint FROM jobkit.run WHERE reason = 'skipped: paused by ana: no'")
        == 30 * 86_400)
    #expect(try stage.count("SELECT sum(ticks)::bigint FROM jobkit.run") == 365 * 86_400)
    #expect(try stage.runs().first?.hasPrefix("2025-03-31T23:59:59Z collapsed missed") == true)
  }
}

extension ScheduledJob {
  /// A job due at times on the wall, in UTC.
  fileprivate static func daily(_ cron: String) throws -> ScheduledJob {
    var policies = Policies()
    policies.overlap = .allow
    return ScheduledJob(
      name: "sample", schedule: Schedule(CronSchedule(try Cron(cron), in: .utc)), policies: policies
    )
  }
}
