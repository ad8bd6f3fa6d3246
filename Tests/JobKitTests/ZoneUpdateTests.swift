@testable import JobKit
@testable import Ledger
@testable import Runner
@testable import Settings

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// New zone files under a daemon that runs.
@Suite("New zone files")
struct ZoneUpdateTests {
  private let zones: ZoneFolder
  private let stage: Stage
  private let daemon: Daemon
  private let lines = Box<[String]>()

  /// A daemon, not started, at nine in the morning in Seoul, whose job is due there at noon.
  init() throws {
    zones = try ZoneFolder(of: "Asia/Seoul")
    stage = try Stage(at: "2026-03-01T00:00:00Z")
    let database = try ZoneDatabase(root: zones.path)
    let noon = CronSchedule(try Cron("0 12 * * *"), in: try database.zone(named: "Asia/Seoul"))
    let holidays = Calendar(name: "holidays", days: [try Calendar.Days("2026-03-04")])
    var policies = Policies()
    policies.overlap = .allow
    let job = ScheduledJob(
      name: "sample", schedule: Schedule(noon).except(on: [holidays]), policies: policies)
    lines.value = []
    daemon = Daemon(
      pool: WorkerPool(name: .sample(1), jobs: [], zones: database), jobs: [job], workers: 0,
      server: try Server(stage.database.url), clock: stage.clock,
      log: Log(from: .info, now: { Instant(microseconds: 0) }) { [lines] line in
        let job = line.fields.first { $0.key == "job" }.map { " job=\($0.value)" } ?? ""
        lines.value?.append("\(line.level.rawValue): \(line.message)\(job)")
      })
  }

  /// Passes at noon, by universal time, of each of these days of March.
  private func pass(_ days: ClosedRange<Int>, by scheduler: inout Scheduler) throws {
    for day in days {
      stage.clock.turn(to: try Instant("2026-03-0\(day)T12:00:00Z"))
      _ = try scheduler.pass(at: stage.now, on: stage.connection)
    }
  }

  @Test func `ticks to come follow the new rules, and what is decided stays decided`() throws {
    var scheduler = Scheduler(daemon.schedule.jobs, daemon: "test")
    try scheduler.start(at: stage.now, on: stage.connection)
    try pass(1...2, by: &scheduler)

    try zones.release("2026f", with: "Asia/Seoul", like: "Asia/Shanghai")
    daemon.followZones()
    _ = try scheduler.change(to: daemon.schedule.jobs, at: stage.now, on: stage.connection)
    try pass(2...5, by: &scheduler)

    #expect(
      try stage.runs() == [
        "2026-03-01T03:00:00Z due", "2026-03-02T03:00:00Z due",
        "2026-03-02T04:00:00Z skipped it had passed when these rules of its zone came into force",
        "2026-03-03T04:00:00Z due",
        "2026-03-04T04:00:00Z skipped 2026-03-04 is in the calendar 'holidays'",
        "2026-03-05T04:00:00Z due",
      ])
    #expect(lines.value == ["info: zone data 2025b -> 2026f: Asia/Seoul changed"])
  }

  @Test func `files that cannot be read leave the old rules in force, and that is said`() throws {
    let before = daemon.schedule

    try zones.damage("Asia/Seoul")
    daemon.followZones()

    #expect(daemon.schedule.generation == before.generation)
    #expect(daemon.schedule.jobs.map(\.schedule) == before.jobs.map(\.schedule))
    #expect(
      lines.value == [
        "warning: new zone files cannot be read: cannot use the file of zone 'Asia/Seoul' in"
          + " '\(zones.path)': it ends after 5 bytes where at least 44 are announced; the old rules"
          + " stay in force, and in an hour the files are looked at again"
      ])
  }

  @Test func `the files are looked at once an hour, also when the clock was set back`() throws {
    let start = try stage.now
    var watch = ZoneWatch(from: start)
    try zones.release("2026f", with: "Asia/Seoul", like: "Asia/Shanghai")

    watch.check(at: start + .seconds(3599), for: daemon)
    let early = lines.value?.count
    watch.check(at: start + .seconds(3600), for: daemon)
    let inTime = lines.value?.count
    try zones.release("2026g", with: "Asia/Seoul", like: "Asia/Seoul")
    watch.check(at: start + .seconds(7199), for: daemon)
    let again = lines.value?.count
    watch.check(at: start - .seconds(60), for: daemon)

    #expect([early, inTime, again, lines.value?.count] == [0, 1, 1, 2])
  }

  @Test func `other settings that come at the same time win`() throws {
    let generation = daemon.schedule.generation

    daemon.reschedule([])
    daemon.move(daemon.schedule.jobs + [try .sample()], since: generation)

    #expect(daemon.schedule.jobs.isEmpty)
  }

  @Test(.timeLimit(.minutes(30)))
  func `a daemon that runs takes them on, and says what they change for which job`() throws {
    daemon.start()
    defer { daemon.drain(within: .seconds(5)) }
    let entered: Statement = "SELECT count(*) FROM jobkit.job"
    try eventually { try stage.count(entered) == 1 }

    try zones.release("2026f", with: "Asia/Seoul", like: "Asia/Shanghai")
    stage.clock.turn(to: try Instant("2026-03-01T02:00:00Z"))
    try eventually {
      daemon.schedulerWakeUp.ring()
      return lines.value?.contains { $0.contains("has new rules") } == true
    }

    #expect(
      lines.value?.last
        == "info: the zone Asia/Seoul has new rules: next tick 2026-03-01T03:00:00Z ->"
        + " 2026-03-01T04:00:00Z job=sample")
  }
}
