@testable import JobKit
@testable import Runner

import LocalTime
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite("When a maintenance loop may judge leases")
struct ReclaimGraceTests {
  private let here = ContinuousClock.now
  private let shown = Instant(microseconds: 1_790_000_000_000_000)

  /// What a maintenance loop may at each pass, which comes when so many seconds have passed here and by the ledger.
  private func verdicts(_ beats: (here: Double, shown: Double)...) -> [Bool] {
    var grace = ReclaimGrace(lease: .seconds(15))
    return beats.map { beat in
      grace.isOver(
        at: ReclaimGrace.Pass(shown: shown + .seconds(beat.shown), here: here + .seconds(beat.here))
      )
    }
  }

  @Test func `one that begins judges at once, and goes on at each pass`() {
    #expect(verdicts((0, 0), (1.25, 1.25), (8.75, 8.75)) == [true, true, true])
  }

  @Test func `one that was cut off for more than half a lease waits for a whole one`() {
    #expect(
      verdicts((0, 0), (7.6, 7.6), (8.85, 8.85), (16, 16), (22.5, 22.5), (22.6, 22.6))
        == [true, false, false, false, false, true])
  }

  @Test func `one that is cut off again waits from when it is back`() {
    #expect(
      verdicts((0, 0), (20, 20), (30, 30), (37, 37), (44.4, 44.4), (45, 45))
        == [true, false, false, false, false, true])
  }

  @Test func `one whose clock went forward by more than half a lease waits for a whole one`() {
    #expect(
      verdicts((0, 0), (1, 8.4), (2, 17), (3, 18), (9, 24), (15, 30), (16.9, 31.9), (17, 32))
        == [true, true, false, false, false, false, false, true])
  }

  @Test func `one whose clock went back judges by it`() {
    #expect(verdicts((0, 0), (1, -3600)) == [true, true])
  }

  @Test func `the first back after a server hung takes no part of those who are not back yet`()
    throws
  {
    let site = try Site()
    let beats = Beats()
    let daemon = try site.daemon(every: .seconds(3600), heardBy: [beats])
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }
    try site.wait(for: 1, of: "SELECT count(*) FROM jobkit.job")
    try eventually { beats.count > 0 }
    try site.enterPart(of: "elsewhere", lease: .milliseconds(1500))

    try site.server.get().pause()
    try eventually { site.log.contains { $0.hasPrefix("error: maintenance: ") } }
    let before = beats.count
    try site.server.get().resume()
    try eventually { beats.count > before }
    let early = try site.number("SELECT losses_without_progress FROM jobkit.part")
    try site.wait(for: 1, of: "SELECT losses_without_progress FROM jobkit.part")

    #expect(early == 0)
    #expect(site.log.contains("warning: lost its worker: another goes on"))
  }

  @Test(arguments: [false, true])
  func `the log says of a lost part that another goes on, unless its run is cancelled`(
    isCancelled: Bool
  ) throws {
    let site = try Site()
    let before = try site.daemon(every: .seconds(3600))
    before.start()
    try site.wait(for: 1, of: "SELECT count(*) FROM jobkit.job")
    before.drain(within: .hang)
    try site.enterPart(of: "elsewhere", lease: .milliseconds(1))
    if isCancelled {
      try site.connect().run(
        "UPDATE jobkit.run SET cancel_asked_at = now(), cancel_asked_by = 'ana'")
    }

    let daemon = try site.daemon(every: .seconds(3600))
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }
    let end = isCancelled ? "cancelled" : "succeeded"
    try site.wait(
      for: 1, of: "SELECT count(*) FROM jobkit.run WHERE trigger = 'manual' AND state = \(end)")

    let what = isCancelled ? "its run is cancelled, so it ends" : "another goes on"
    #expect(
      site.log.filter { $0.contains("lost its worker") } == ["warning: lost its worker: \(what)"])
  }

  @Test func `a maintenance loop tries a server that is away once in a third of a lease`() throws {
    let site = try Site()
    let daemon = try site.daemon(lease: .seconds(6))
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }
    try site.awaitSuccesses(1)

    try site.server.get().stop()
    try eventually {
      site.log.filter {
        $0.hasPrefix("error: maintenance: ") && $0.hasSuffix("; tried again in 2s")
      }
      .count >= 2
    }
    try site.server.get().start()

    #expect(!site.log.contains { $0.hasPrefix("error: maintenance: ") && $0.hasSuffix(" in 4s") })
  }
}

/// Counts the passes of a daemon.
private final class Beats: DaemonListener {
  private let beats = Mutex(0)

  var count: Int { beats.withLock(\.self) }

  func handle(_ event: DaemonEvent) {
    if case .maintained = event { beats.withLock { $0 += 1 } }
  }
}

extension Site {
  /// Enters a part at which somebody works whose lease is over after `lease`, unless it is extended.
  fileprivate func enterPart(of worker: String, lease: Duration) throws {
    try connect().run(
      """
      WITH run AS (
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, started_at)
        VALUES ('sample', now(), 'manual', 'running', now(), 'test', now()) RETURNING id)
      INSERT INTO jobkit.part (run, number, job, state, not_before, daemon, lease_until, started_at)
      SELECT id, 0, 'sample', 'running', now(), \(worker),
        now() + make_interval(secs => \(lease / .seconds(1))), now() FROM run
      """)
  }
}
