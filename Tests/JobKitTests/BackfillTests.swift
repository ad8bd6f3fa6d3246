@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// Ticks of the past that are run after all.
@Suite("Backfill")
struct BackfillTests {
  private static let start = "2026-03-01T10:00:00Z"

  /// A stage at 10:10 whose minutely job was paused at 10:01 and 10:02, failed at 10:03, succeeded at
  /// 10:04, and did not exist before.
  private func stage() throws -> Stage {
    let stage = try Stage(at: Self.start)
    var scheduler = try stage.scheduler(.sample { $0.overlap = .allow })
    let pause = Pause(
      since: try stage.now, author: "ana", reason: "r", until: try stage.now + .seconds(150))
    _ = try Ledger.pause("sample", pause, on: stage.connection)
    for minute in 1...4 {
      try stage.pass(.seconds(60))
      _ = try scheduler.pass(at: stage.now, on: stage.connection)
      if minute > 2 {
        try stage.finish(stage.claimOne(), as: minute == 3 ? .failed("no") : .succeeded)
      }
    }
    stage.clock.turn(to: try Instant("2026-03-01T10:10:00Z"))
    return stage
  }

  private func backfill(
    _ reprocess: Backfill.Reprocess, from start: String = "2026-03-01T09:59:00Z",
    to end: String = "2026-03-01T10:05:00Z", parts: Int = 1,
    _ tune: (inout Policies) -> Void = { _ in }
  ) throws -> Backfill {
    try Backfill(
      of: .sample(parts: parts, tune), from: Instant(start), to: Instant(end), reprocess: reprocess,
      by: "ana")
  }

  @Test(arguments: [
    (Backfill.Reprocess.missing, ["09:59", "10:00", "10:01", "10:02"]), (.failed, ["10:03"]),
    (.all, ["09:59", "10:00", "10:01", "10:02", "10:03", "10:04"]),
  ])
  func `the ticks that are wanted get a run, once`(
    reprocess: Backfill.Reprocess, expected: [String]
  ) throws {
    let stage = try stage()
    let backfill = try backfill(reprocess)

    let chosen = try Ledger.choose(for: backfill, on: stage.connection)
    let entered = try Ledger.enter(backfill, at: stage.now, on: stage.connection)
    let twice = try Ledger.enter(backfill, at: stage.now, on: stage.connection)

    #expect(chosen.map { $0.description.dropFirst(11).prefix(5) } == expected.map { $0[...] })
    #expect(entered.count == expected.count && twice.isEmpty)
    #expect(
      try stage.count(
        "SELECT count(*) FROM jobkit.run WHERE trigger = 'backfill' AND state = 'due'")
        == expected.count)
  }

  @Test func `a tick that was filled in is missing no more`() throws {
    let stage = try stage()
    let backfill = try backfill(.missing)
    _ = try Ledger.enter(backfill, at: stage.now, on: stage.connection)
    for _ in 1...4 { try stage.finish(stage.claimOne()) }

    #expect(try Ledger.choose(for: backfill, on: stage.connection).isEmpty)
    #expect(try Ledger.choose(for: self.backfill(.all), on: stage.connection).count == 6)
  }

  @Test func `what is scheduled goes first, and does not count the past as an overlap`() throws {
    let stage = try Stage(at: Self.start)
    var scheduler = try stage.scheduler(.sample())
    let past = try backfill(.missing, parts: 2)
    _ = try Ledger.enter(past, at: stage.now, on: stage.connection)
    let old = try stage.claimOne()

    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    let beside = try stage.claimOne()
    try stage.finish(old)
    try stage.finish(beside)
    let next = try stage.claimOne()

    #expect(old.trigger == .backfill && beside.fence.run == old.fence.run)
    #expect(next.trigger == .schedule)
    #expect(next.scheduledFor == (try stage.now))
  }

  @Test func `a tick that is not decided yet is left to the scheduler`() throws {
    let stage = try Stage(at: Self.start)
    var scheduler = try stage.scheduler(.sample())
    try stage.pass(.seconds(60))
    let now = try stage.now
    let backfill = try backfill(.all, from: "2026-03-01T10:01:00Z", to: "2026-03-01T10:02:00Z")

    let entered = try Ledger.enter(backfill, at: now, on: stage.connection)
    _ = try scheduler.pass(at: now, on: stage.connection)

    #expect(entered.isEmpty)
    #expect(try stage.runs() == ["2026-03-01T10:01:00Z due"])
  }

  @Test func `what the ledger may have forgotten is refused, unless all is run again`() throws {
    func backfill(_ reprocess: Backfill.Reprocess) throws -> Backfill {
      try Backfill(
        of: .sample(), from: Instant("2026-03-01T10:00:00Z"), to: Instant("2026-03-01T11:00:00Z"),
        reprocess: reprocess, by: "ana", remembered: Instant("2026-03-01T10:00:01Z"))
    }

    let error = #expect(throws: BackfillError.self) { try backfill(.missing) }

    #expect(
      error?.description
        == "the ledger remembers what 'sample' did since 2026-03-01T10:00:01Z only: begin there, or run"
        + " every tick again with --reprocess all")
    #expect(try backfill(.all).ticks.count == 60)
  }

  @Test func `the ticks are those of the schedule of the time`() throws {
    let stage = try Stage(at: Self.start)
    var hourly = try stage.scheduler(.sample(every: .seconds(3600)))
    try stage.pass(.seconds(3600))
    _ = try hourly.pass(at: stage.now, on: stage.connection)
    var minutely = try stage.scheduler(.sample())
    try stage.pass(.seconds(120))
    _ = try minutely.pass(at: stage.now, on: stage.connection)

    let history = ScheduleHistory(
      try Ledger.schedules(of: "sample", on: stage.connection),
      present: try ScheduledJob.sample().schedule, knownSince: try stage.now, zones: stage.zones)
    let backfill = try Backfill(
      of: .sample(), from: Instant("2026-03-01T08:00:00Z"), to: stage.now, reprocess: .all,
      by: "ana", history: history.reachingBack)

    #expect(
      backfill.ticks.map { $0.description.dropFirst(11).prefix(5) }
        == ["08:00", "09:00", "10:00", "11:00", "11:01"])
  }

  @Test func `a job that must never be backfilled is refused`() throws {
    let error = #expect(throws: BackfillError.self) {
      try backfill(.all) { $0.mayBackfill = false }
    }

    #expect(
      error?.description
        == "'sample' is never backfilled: its next run does what missed ones would have done, or it would"
        + " be too late for them; nothing was entered")
  }

  @Test func `more ticks than one call looks at are refused with where to cut`() throws {
    let error = #expect(throws: BackfillError.self) {
      try backfill(.all, from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z")
    }

    #expect(
      error?.description
        == "'sample' has more than 10000 ticks in that time: write --to 2026-01-07T22:40:00Z, then go on"
        + " from there")
  }
}
