@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// Ticks on the days of a calendar.
@Suite("Excluded days")
struct ExclusionTests {
  private static let excluded = "skipped 2026-12-25 is in the calendar 'holidays'"

  /// A job that is kept off the 25th of December 2026, and of these days.
  private func job(
    _ cron: String, in zone: String = "UTC", except days: [String] = [],
    _ tune: (inout Policies) -> Void = { _ in }
  ) throws -> ScheduledJob {
    let zone = try SampleSettings.zones.get().zone(named: zone)
    let calendar = Calendar(
      name: "holidays", days: try (["2026-12-25"] + days).map { try Calendar.Days($0) })
    var policies = Policies()
    tune(&policies)
    return ScheduledJob(
      name: "sample",
      schedule: Schedule(CronSchedule(try Cron(cron), in: zone)).except(on: [calendar]),
      policies: policies)
  }

  @Test func `a tick on an excluded day is skipped and says which calendar, the others are run`()
    throws
  {
    let stage = try Stage(at: "2026-12-24T10:00:00Z")
    var scheduler = try stage.scheduler(try job("0 12 * * *") { $0.overlap = .allow })

    for _ in 1...3 {
      try stage.pass(.seconds(86_400))
      _ = try scheduler.pass(at: stage.now, on: stage.connection)
    }

    #expect(
      try stage.runs() == [
        "2026-12-24T12:00:00Z due", "2026-12-25T12:00:00Z \(Self.excluded)",
        "2026-12-26T12:00:00Z due",
      ])
  }

  @Test(arguments: [
    (
      CatchUp.Policy.latest, "missed no daemon was looking; the newest tick runs in its place",
      "due"
    ),
    (.all, "due", "due"),
    (
      .skip, "missed no daemon was looking; missed ticks of this job are not run",
      "missed no daemon was looking; missed ticks of this job are not run"
    ),
  ])
  func `an excluded tick stands in for no other when the daemon comes back`(
    policy: CatchUp.Policy, first: String, second: String
  ) throws {
    let stage = try Stage(at: "2026-12-23T10:00:00Z")
    let job = try job("0 12 * * *") {
      $0.overlap = .allow
      $0.catchUp = CatchUp(policy, within: .seconds(5 * 86_400))
    }
    var scheduler = try stage.scheduler(job)

    stage.clock.turn(to: try Instant("2026-12-25T13:00:00Z"))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(
      try stage.runs() == [
        "2026-12-23T12:00:00Z \(first)", "2026-12-24T12:00:00Z \(second)",
        "2026-12-25T12:00:00Z \(Self.excluded)",
      ])
  }

  @Test(arguments: [
    ("UTC", "2026-12-25T00:00:00Z", "2026-12-25T23:30:00Z"),
    ("Asia/Seoul", "2026-12-24T15:00:00Z", "2026-12-25T14:30:00Z"),
    ("America/New_York", "2026-12-25T05:00:00Z", "2026-12-26T04:30:00Z"),
  ])
  func `a day is that of the job's own zone`(zone: String, first: String, last: String) throws {
    let schedule = try job("*/30 * * * *", in: zone).schedule

    let ticks = schedule.ticks(
      after: try Instant("2026-12-23T00:00:00Z"), through: try Instant("2026-12-28T00:00:00Z"),
      limit: 1000)
    let excluded = ticks.filter { schedule.exclusions.reason(at: $0) != nil }

    #expect(excluded.first == (try Instant(first)))
    #expect(excluded.last == (try Instant(last)))
    #expect(excluded.count == 48)
  }

  @Test(arguments: [
    ("0 12 * * *", "2026-12-24T11:00:00Z", "2026-12-24T12:00:00Z"),
    ("0 12 * * *", "2026-12-24T12:00:00Z", "2026-12-26T12:00:00Z"),
    ("* * * * * *", "2026-12-24T23:59:58Z", "2026-12-24T23:59:59Z"),
    ("* * * * * *", "2026-12-24T23:59:59Z", "2026-12-26T00:00:00Z"),
    ("0 12 25 12 *", "2026-12-24T23:59:59Z", "2040-12-25T12:00:00Z"),
    ("0 12 1 1 *", "2026-12-24T23:59:59Z", "2041-01-01T12:00:00Z"),
  ])
  func `the next run is the first tick on a day that no calendar has`(
    cron: String, after: String, next: String
  ) throws {
    let schedule = try job(cron, except: ["2027-01-01..2040-06-30"]).schedule

    #expect(schedule.nextRun(after: try Instant(after)) == (try Instant(next)))
  }

  @Test(.timeLimit(.minutes(30)))
  func `a job whose every tick is excluded has no next run`() throws {
    let schedule = try job("* * 25 12 *", except: ["12-25"]).schedule

    #expect(schedule.nextRun(after: try Instant("2026-01-01T00:00:00Z")) == nil)
  }

  @Test func `a long excluded time is one row, and the audit finds every tick`() throws {
    let stage = try Stage(at: "2026-12-24T23:00:00Z")
    let job = try job("* * * * *")
    var scheduler = try stage.scheduler(job)

    let start = try stage.now
    stage.clock.turn(to: try Instant("2026-12-26T00:00:00Z"))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    let audit = Audit(
      expecting: job.schedule.ticks(after: start, through: try stage.now, limit: 10_000),
      found: try Ledger.ticks(
        of: "sample", after: start, through: stage.now, on: stage.connection))

    #expect(
      try stage.runs().contains(
        "2026-12-25T23:59:00Z collapsed skipped: 2026-12-25 is in the calendar 'holidays'"))
    #expect(audit.isComplete && audit.expected == 1500)
  }

  @Test func `a backfill leaves excluded days out, and a run by hand does not ask`() throws {
    let stage = try Stage(at: "2026-12-28T00:00:00Z")
    let backfill = try Backfill(
      of: job("0 12 * * *"), from: Instant("2026-12-24T00:00:00Z"), to: stage.now,
      reprocess: .all, by: "ana")
    let request = Ledger.RunRequest(
      "sample", for: try Instant("2026-12-25T12:00:00Z"), parts: 1, policies: Policies(), by: "ana")

    _ = try Ledger.enter(request, at: stage.now, on: stage.connection)

    #expect(
      backfill.ticks.map { $0.description.prefix(10) } == [
        "2026-12-24", "2026-12-26", "2026-12-27",
      ])
    #expect(try stage.runs() == ["2026-12-25T12:00:00Z due"])
  }
}
