@testable import JobKit
@testable import Ledger
@testable import Runner
import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("Scheduler")
struct SchedulerTests {
  @Test func `each tick becomes one row, once`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample())

    stage.clock.turn(to: try Instant("2026-03-01T10:01:00Z"))
    let first = try scheduler.pass(at: stage.now, on: stage.connection)
    let second = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(first.decided.count == 1)
    #expect(second.decided.isEmpty)
    #expect(first.nextTick == (try Instant("2026-03-01T10:02:00Z")))
    #expect(try stage.runs() == ["2026-03-01T10:01:00Z due"])
  }

  @Test func `two believers write one row`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var one = try stage.scheduler(.sample { $0.overlap = .allow }, daemon: "one")
    var two = try stage.scheduler(.sample { $0.overlap = .allow }, daemon: "two")

    for minute in 1...5 {
      stage.clock.turn(to: try Instant("2026-03-01T10:0\(minute):00Z"))
      _ = try one.pass(at: stage.now, on: stage.connection)
      _ = try two.pass(at: stage.now, on: stage.connection)
    }

    #expect(try stage.runs() == (1...5).map { "2026-03-01T10:0\($0):00Z due" })
  }

  @Test func `a job that another daemon takes on meanwhile begins where that one began`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let job = try ScheduledJob.sample()
    try Ledger.enter([job.name], at: stage.now, on: stage.connection)
    try stage.pass(.seconds(30))
    let began = try stage.now
    var server = try Server(stage.database.url)
    (server.fixesNames, server.lockLimit) = (true, .milliseconds(50))
    let other = try Connection(to: server)
    var scheduler = Scheduler([job], daemon: "two")

    try stage.connection.transaction { connection in
      try connection.run(Ledger.noting(job.schedule, of: job.name, since: began))
      try connection.run(Ledger.beginning(job.name, at: began))
      try scheduler.start(at: began + .seconds(5), on: other)
    }
    try stage.pass(.seconds(30))
    let pass = try scheduler.pass(at: stage.now, on: other)

    #expect(pass.failures.isEmpty)
    #expect(try stage.runs() == ["2026-03-01T10:01:00Z due"])
    #expect(try Ledger.schedules(of: job.name, on: stage.connection).map(\.since) == [began])
  }

  @Test(arguments: [false, true])
  func `whoever finds a tick decided by another hears that it is due, once`(
    whileLookingAgain: Bool
  ) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let job = try ScheduledJob.sample(parts: 3)
    var one = try stage.scheduler(job, daemon: "one")
    var two = try stage.scheduler(job, daemon: "two")

    stage.clock.turn(to: try Instant("2026-03-01T10:01:00Z"))
    let first = try one.pass(at: stage.now, on: stage.connection)
    if whileLookingAgain { try two.lookAgain(on: stage.connection) }
    let second = try two.pass(at: stage.now, on: stage.connection)
    let third = try two.pass(at: stage.now, on: stage.connection)

    #expect(first.decided.map(\.job) == ["sample"] && first.decidedByOthers.isEmpty)
    #expect(second.decided.isEmpty && second.decidedByOthers == ["sample"])
    #expect([first, second, third].map { $0.dueParts(of: [job]) } == [3, 3, 0])
  }

  @Test func `what was due before the schedule changed is decided by the old one, and only once`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample(every: .seconds(120)) { $0.overlap = .allow })

    stage.clock.turn(to: try Instant("2026-03-01T10:04:30Z"))
    let change = try scheduler.change(
      to: [.sample { $0.overlap = .allow }], at: stage.now, on: stage.connection)
    stage.clock.turn(to: try Instant("2026-03-01T10:05:00Z"))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(change.decided.first?.ticks.map(\.fate).last == .due)
    #expect(
      try stage.runs() == [
        "2026-03-01T10:02:00Z missed no daemon was looking; the newest tick runs in its place",
        "2026-03-01T10:04:00Z due", "2026-03-01T10:05:00Z due",
      ])
  }

  @Test(arguments: [59, 20_000])
  func `a tick that only the new schedule has, and that has passed, is none`(
    seconds: Int
  ) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample(every: .seconds(86_400)))

    try stage.pass(.seconds(seconds))
    _ = try scheduler.change(
      to: [.sample(every: seconds > 100 ? .seconds(1) : .seconds(30))], at: stage.now,
      on: stage.connection)
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    let before = try stage.runs()
    try stage.pass(.seconds(30))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(before == [])
    #expect(try stage.runs().contains { $0.hasSuffix(" due") })
    let change = try Instant("2026-03-01T10:00:00Z") + .seconds(seconds)
    #expect(
      try stage.count("SELECT count(*) FROM jobkit.run WHERE scheduled_for <= \(change)") == 0)
    #expect(
      try Ledger.schedules(of: "sample", on: stage.connection).last?.since == change)
  }

  @Test func `after a weekend down the newest tick runs and the others have one row`() throws {
    let stage = try Stage(at: "2026-03-06T18:00:00Z")
    _ = try stage.scheduler(.sample())

    stage.clock.turn(to: try Instant("2026-03-09T08:00:00Z"))
    var restarted = try stage.scheduler(.sample())
    _ = try restarted.pass(at: stage.now, on: stage.connection)

    #expect(
      try stage.runs() == [
        "2026-03-09T07:59:00Z collapsed missed: no daemon was looking;"
          + " the newest tick runs in its place",
        "2026-03-09T08:00:00Z due",
      ])
    #expect(
      try stage.connection.run("SELECT sum(ticks)::bigint AS n FROM jobkit.run").only["n"] == 3720)
  }

  @Test(arguments: [(true, RunState.missed), (false, .skipped)])
  func `a row of many ticks counts as what each of them became, whatever its reason says`(
    isEnabled: Bool, fate: RunState
  ) throws {
    let stage = try Stage(at: "2026-03-06T18:00:00Z")
    var scheduler = try stage.scheduler(.sample(isEnabled: isEnabled))
    stage.clock.turn(to: try Instant("2026-03-07T18:00:00Z"))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    try stage.connection.run("UPDATE jobkit.run SET reason = 'x' WHERE state = 'collapsed'")
    var filter = Ledger.RunFilter()
    filter.state = .missed
    let summary = try #require(try Ledger.summaries(on: stage.connection).first)

    #expect(summary[fate] >= 1439 && summary[.collapsed] == 0)
    #expect(try Ledger.runs(filter, on: stage.connection).isEmpty == (fate != .missed))
  }

  @Test func `a tick that meets a run which is not over is skipped`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample())

    for minute in 1...3 {
      stage.clock.turn(to: try Instant("2026-03-01T10:0\(minute):00Z"))
      _ = try scheduler.pass(at: stage.now, on: stage.connection)
    }

    #expect(
      try stage.runs() == [
        "2026-03-01T10:01:00Z due",
        "2026-03-01T10:02:00Z skipped overlap: an earlier run is not over",
        "2026-03-01T10:03:00Z skipped overlap: an earlier run is not over",
      ])
  }

  @Test func `a restart under another schedule catches up with the old one, and not with the new`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T08:30:00Z")
    func daily(at hour: Int) throws -> ScheduledJob {
      let schedule = Schedule(CronSchedule(try Cron("0 \(hour) * * *"), in: .utc))
      return ScheduledJob(name: "sample", schedule: schedule)
    }
    var old = try stage.scheduler(daily(at: 9))
    stage.clock.turn(to: try Instant("2026-03-01T09:00:00Z"))
    _ = try old.pass(at: stage.now, on: stage.connection)
    try stage.finish(stage.claimOne())

    stage.clock.turn(to: try Instant("2026-03-02T20:00:00Z"))
    var new = try stage.scheduler(daily(at: 17))
    _ = try new.pass(at: stage.now, on: stage.connection)

    #expect(
      try stage.runs() == [
        "2026-03-01T09:00:00Z succeeded", "2026-03-02T09:00:00Z due",
      ])
  }

  @Test func `what a crash of the server forgot is decided again`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample())
    let before = try stage.now
    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    try stage.connection.run("DELETE FROM jobkit.run")
    try stage.connection.run("UPDATE jobkit.job SET decided_until = \(before)")

    try stage.pass(.seconds(30))
    let unaware = try scheduler.pass(at: stage.now, on: stage.connection)
    try scheduler.lookAgain(on: stage.connection)
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(unaware.decided.isEmpty)
    #expect(try stage.runs() == ["2026-03-01T10:01:00Z due"])
  }
}
