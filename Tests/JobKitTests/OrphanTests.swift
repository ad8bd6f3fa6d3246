@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import Testing

/// Jobs that the ledger knows and nobody has code for any more.
@Suite("Jobs without code")
struct OrphanTests {
  /// A stage at 10:01 whose minutely job has been decided once.
  private func stage(every interval: Duration = .seconds(60)) throws -> Stage {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample(every: interval))
    try stage.pass(interval)
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    return stage
  }

  private func writeOff(_ stage: Stage) throws -> [String] {
    try Orphans(daemon: "other", zones: stage.zones)
      .writeOff(at: stage.now, on: stage.connection).map { "\($0.job) \($0.ticks)" }
  }

  @Test func `their ticks are written down as skipped, with the reason`() throws {
    let stage = try stage(every: .seconds(3600))
    try stage.pass(.seconds(2 * 3600))

    #expect(try writeOff(stage) == ["sample 1"])
    #expect(
      try stage.runs().last
        == "2026-03-01T12:00:00Z skipped no daemon alive has code for it")
    #expect(try writeOff(stage).isEmpty)
  }

  @Test func `many of them become one row`() throws {
    let stage = try stage()
    try stage.pass(.seconds(5 * 3600))

    #expect(try writeOff(stage) == ["sample 1"])
    #expect(
      try stage.runs().last
        == "2026-03-01T14:01:00Z collapsed skipped: no daemon alive has code for it")
    #expect(try stage.count("SELECT ticks FROM jobkit.run ORDER BY id DESC LIMIT 1") == 240)
  }

  @Test func `a job is let alone for an hour, and while somebody alive has code for it`() throws {
    let stage = try stage()
    try stage.pass(.seconds(3600))
    #expect(try writeOff(stage).isEmpty)

    try stage.pass(.seconds(3600))
    try Ledger.showAlive(
      .sample(2), jobs: ["sample"], draining: false, at: stage.now, on: stage.connection)
    #expect(try writeOff(stage).isEmpty)

    try stage.pass(.seconds(61))
    #expect(try writeOff(stage) == ["sample 1"])
  }

  @Test func `whoever has the code again goes on behind them`() throws {
    let stage = try stage()
    try stage.pass(.seconds(5 * 3600))
    _ = try writeOff(stage)

    var scheduler = try stage.scheduler(.sample { $0.overlap = .allow })
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    let history = try ScheduleHistory(
      Ledger.schedules(of: "sample", on: stage.connection),
      present: ScheduledJob.sample().schedule, knownSince: stage.now, zones: stage.zones)
    let (start, end) = (try Instant("2026-03-01T10:00:00Z"), try stage.now)
    let audit = Audit(
      expecting: history.ticks(after: start, through: end, limit: 1000),
      found: try Ledger.ticks(of: "sample", after: start, through: end, on: stage.connection))
    #expect(audit.isComplete && audit.foreign.isEmpty && audit.expected == 301)
  }
}
