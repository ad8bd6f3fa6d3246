@testable import JobKit
@testable import Ledger
@testable import Runner

import Jobs
import LocalTime
import Postgres
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
    var snapshot = JobSnapshot(decidedUntil: Instant(microseconds: 0))
    snapshot.hasRunning = true
    var policies = Policies()
    (policies.overlap, policies.catchUp) = (.skip, CatchUp(.all, most: 100))

    let decision = Decision(
      of: (0..<count).map { noon + .seconds($0) }, now: noon + .seconds(count),
      isEnabled: isEnabled, snapshot: snapshot, under: policies)

    #expect(decision.ticks.map(\.fate.cause?.isOrdered) == [!isEnabled])
  }

  @Test func `ticks of one fate have one line, with how many they are and from when to when`()
    throws
  {
    let site = try Site()
    let connection = try site.connect()
    try connection.run(
      """
      INSERT INTO jobkit.job (name, known_since, decided_until)
      VALUES ('sample', now() - interval '1 hour', now() - interval '15 minutes')
      """)
    try connection.run(
      "INSERT INTO jobkit.schedule VALUES ('sample', now() - interval '1 hour', 'every 1m; UTC')")
    let daemon = try site.daemon(every: .seconds(60))
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }

    let wanted = /warning: 1[345] ticks from 2[^ ]{19} to 2[^ ]{19} missed: no daemon was looking/
    try eventually { site.log.contains { $0.contains(wanted) } }

    #expect(site.log.count { $0.hasPrefix("warning") } == 1, "\(site.log)")
  }

  @Test func `a run that found nothing has no line, and one that did something has one`() throws {
    let site = try Site()
    let daemon = try site.daemon { context in
      // Every other second there is something to do.
      let isIdle = context.scheduledFor.secondsSince1970 % 2 == 0
      if !isIdle {
        try context.inChunks { _, progress in
          progress.counters.count("rows", 3)
          return .finished
        }
      }
      return Outcome(isIdle ? "found nothing" : "did something")
    }
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }

    try eventually {
      site.log.contains("debug: succeeded: found nothing")
        && site.log.contains("info: succeeded: did something")
    }

    let lines = site.log.filter { $0.contains("succeeded") || $0.hasSuffix(": started") }
    #expect(!lines.contains("info: succeeded: found nothing"))
    #expect(lines.filter { $0.hasSuffix(": started") }.allSatisfy { $0.hasPrefix("debug") })
  }

  @Test func `nobody orders a tick to be missed`() {
    #expect(!Tick.Cause.missed(.tooLate).isOrdered)
  }
}
