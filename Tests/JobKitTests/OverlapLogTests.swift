@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import Settings
import Synchronization
import TestKit
import TestSupport
import Testing

/// How often a daemon says that a run which is not over keeps the ticks of its job from running.
@Suite("What the log says of a run that goes on")
struct OverlapLogTests {
  private let stage: Stage
  private let lines = Lines()

  init() throws { stage = try Stage(at: "2026-03-01T10:00:00Z") }

  /// Decides the ticks of the next minutes, each when it has come, and tells of them.
  private func pass(
    minutes: Int, _ scheduler: inout Scheduler, _ tickLog: inout TickLog
  ) throws {
    for _ in 0..<minutes {
      try stage.pass(.seconds(60))
      for (job, ticks) in try scheduler.pass(at: stage.now, on: stage.connection).decided {
        tickLog.report(ticks, of: job, in: lines.log)
      }
    }
  }

  @Test func `it keeps ticks from running, which is told at once and then each hour with a count`()
    throws
  {
    var (scheduler, tickLog) = (try stage.scheduler(.sample()), TickLog())
    try pass(minutes: 1, &scheduler, &tickLog)
    let run = try stage.claimOne()

    try pass(minutes: 130, &scheduler, &tickLog)

    let overlap = "skipped: overlap: an earlier run is not over"
    let since = "since 2026-03-01T10:02:00Z"
    let told = ["\(overlap)", "61 ticks \(since) \(overlap)", "121 ticks \(since) \(overlap)"]
    #expect(lines.all == told.map { "warning: \($0)" })
    #expect(try stage.count("SELECT count(*) FROM jobkit.run WHERE state = 'skipped'") == 130)

    try stage.finish(run)
    try pass(minutes: 1, &scheduler, &tickLog)
    _ = try stage.claimOne()
    try pass(minutes: 2, &scheduler, &tickLog)

    #expect(lines.all.dropFirst(3) == ["warning: \(overlap)"])
  }

  @Test func `ticks of one pass are told together, and what ran between ends the row`() throws {
    let noon = Instant(secondsSince1970: 1_772_366_400)
    func tick(_ minute: Int, _ fate: Tick.Fate) -> Tick {
      Tick(scheduledFor: noon + .seconds(60 * minute), fate: fate)
    }
    let skip = Tick.Fate.notRun(.skipped(.overlap(anotherWaits: false)))
    let two = Tick.Fate.notRun(.skipped(.overlap(anotherWaits: true)))
    var tickLog = TickLog()

    for ticks in [
      [tick(1, skip), tick(2, skip)], [tick(3, two)], [tick(4, skip), tick(5, .due)],
      [tick(6, two)], [tick(7, .notRun(.skipped(.disabled)))], [tick(8, skip)],
    ] { tickLog.report(ticks, of: "sample", in: lines.log) }

    let overlap = "skipped: overlap: an earlier run is not over"
    #expect(
      lines.all == [
        "warning: 2 ticks from \(noon + .seconds(60)) to \(noon + .seconds(120)) \(overlap)",
        "warning: \(overlap)", "warning: \(overlap), and another waits for its end",
        "info: skipped: disabled in the settings", "warning: \(overlap)",
      ])
  }
}

/// What a log was told.
private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock(\.self) }

  var log: Log {
    Log(from: .debug, now: { Instant(microseconds: 0) }) { [self] line in
      lines.withLock { $0.append("\(line.level.rawValue): \(line.message)") }
    }
  }
}
