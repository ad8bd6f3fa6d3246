@testable import JobKit

import LocalTime
import TestSupport
import Testing

/// How loudly a daemon says that ticks do not run.
@Suite("What the log says of ticks")
struct TickLogTests {
  @Test func `a disabled job fills the log with no warnings`() throws {
    let site = try Site()
    let daemon = try site.daemon()
    daemon.reschedule([try .sample(every: .seconds(1), isEnabled: false)])
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }

    try eventually { site.log.contains("info: skipped: disabled in the settings") }

    #expect(!site.log.contains { $0.hasPrefix("warning") })
  }

  @Test(arguments: [1, 25], [true, false])
  func `that a run is still at work is no order, alone or in a row that became one`(
    count: Int, isEnabled: Bool
  ) {
    let noon = Instant(secondsSince1970: 1_772_366_400)
    var standing = Standing(decidedUntil: Instant(microseconds: 0))
    standing.hasRunning = true
    var policies = Policies()
    (policies.overlap, policies.catchUp) = (.skip, CatchUp(.all, most: 100))

    let decision = Decision(
      of: (0..<count).map { noon + .seconds($0) }, now: noon + .seconds(count),
      isEnabled: isEnabled, standing: standing, under: policies)

    #expect(decision.ticks.map(\.fate.isOrdered) == [!isEnabled])
  }

  @Test func `nobody orders a tick to be missed`() {
    let first = Instant(microseconds: 0)

    #expect(!Tick.Fate.missed("why").isOrdered)
    #expect(!Tick.Fate.collapsed(from: first, count: 25, "missed: why").isOrdered)
  }
}
