@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestSupport
import Testing

@Suite("Daemon")
struct DaemonTests {
  @Test func `a job of every second runs every second, and the daemon leaves in good order`() throws
  {
    let site = try Site()
    let daemon = try site.daemon()

    daemon.start()
    try site.awaitSuccesses(3)
    let alive = try site.number("SELECT count(*) FROM jobkit.daemon")
    daemon.drain(within: .hang)

    #expect(alive == 1)
    #expect(try site.number("SELECT count(*) FROM jobkit.daemon") == 0)
    #expect(try site.ticksWithoutOneRow() == 0)
    #expect(try site.openRun() == "none")
    #expect(!site.log.contains { $0.hasPrefix("error") })
  }

  @Test(arguments: [1, 2])
  func `the server crashes and comes back, and every tick has one row`(crashes: Int) throws {
    let site = try Site()
    let daemon = try site.daemon()
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }

    for _ in 1...crashes {
      try site.awaitSuccesses(1)
      try site.server.get().kill()
      try eventually { site.log.contains { $0.hasPrefix("error: scheduler: ") } }
      try site.server.get().start()
      let now = try LedgerClock.database.now(on: site.connect())
      try site.awaitSuccesses(2, after: now)
    }

    #expect(try site.ticksWithoutOneRow() == 0)
    #expect(site.log.contains("info: scheduler: connected again"))
  }

  @Test func `the server hangs and goes on, and every tick has one row`() throws {
    let site = try Site()
    let daemon = try site.daemon()
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }
    try site.awaitSuccesses(1)

    try site.server.get().pause()
    try eventually { site.log.contains { $0.hasPrefix("error: maintenance: ") } }
    try site.server.get().resume()
    let now = try LedgerClock.database.now(on: site.connect())
    try site.awaitSuccesses(2, after: now)

    #expect(try site.ticksWithoutOneRow() == 0)
  }

  @Test func `the backends are terminated again and again, and every tick has one row`() throws {
    let site = try Site()
    let daemon = try site.daemon()
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }

    for round in 1...5 {
      try site.awaitSuccesses(round)
      try site.connect().run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    }
    try site.awaitSuccesses(2, after: LedgerClock.database.now(on: site.connect()))

    #expect(try site.ticksWithoutOneRow() == 0)
  }

  @Test func `the log names the statement in which a job lost its connection`() throws {
    let site = try Site()
    let daemon = try site.daemon { context in
      try context.inChunks { connection, _ in
        try connection.run("SELECT pg_terminate_backend(pg_backend_pid())")
        return .finished
      }
      return Outcome("never")
    }
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }

    try eventually { site.log.contains { $0.contains("its end could not be written") } }

    let told = try #require(site.log.first { $0.contains("its end could not be written") })
    #expect(told.hasPrefix("error: failed: lost the connection to "))
    #expect(told.contains(", in 'SELECT pg_terminate_backend(pg_backend_pid())'; "))
    #expect(told.contains(", but its end could not be written: lost the connection to "))
    #expect(told.hasSuffix("; the lease runs out and another worker goes on"))
  }

  @Test func `a long run is released at a chunk, and another daemon goes on there`() throws {
    let site = try Site()
    let last = Box<Int>()
    let count: @Sendable (inout JobContext) throws -> Outcome = { context in
      try context.inChunks { _, progress in
        progress.cursor = "\((progress.cursor.flatMap { Int($0) } ?? 0) + 1)"
        return progress.cursor == last.value.map(String.init) ? .finished : .more
      }
      return Outcome("counted")
    }
    let first = try site.daemon(count)
    first.start()
    try site.wait(for: 20, of: "SELECT coalesce(max(cursor::bigint), 0) FROM jobkit.part")

    first.drain(within: .hang)
    let released = try site.openRun()
    let reached = try #require(Int(released.split(separator: " ").last ?? ""))
    last.value = reached + 5
    let second = try site.daemon(count)
    second.start()
    try site.awaitSuccesses(1)
    second.drain(within: .hang)

    #expect(released.hasPrefix("running due ") && reached >= 20)
    #expect(
      try site.number("SELECT cursor::bigint FROM jobkit.part WHERE state = 'succeeded'")
        == reached + 5)
    #expect(
      try site.number("SELECT sum(failures + worker_losses) FROM jobkit.part") == 0)
  }

  @Test func `a statement that takes too long for the drain is cut off, and the run released`()
    throws
  {
    let site = try Site()
    let daemon = try site.daemon { context in
      try context.inChunks { connection, _ in
        try connection.run("SELECT pg_sleep(600)", within: .seconds(600))
        return .finished
      }
      return Outcome("slept")
    }
    daemon.start()
    try site.wait(
      for: 1, of: "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'")

    let start = ContinuousClock.now
    daemon.drain(within: .milliseconds(100))

    #expect(ContinuousClock.now - start < .hang)
    #expect(try site.openRun() == "running due -")
    #expect(
      site.log.contains(
        "warning: the drain took too long: what still runs is cut off, and goes on elsewhere"))
  }

  @Test func `a job that nothing stops does not stop the end of the daemon`() throws {
    let site = try Site()
    let (hasBegun, isReleased) = (Box<Bool>(), Box<Bool>())
    let daemon = try site.daemon { _ in
      hasBegun.value = true
      try eventually { isReleased.value == true }
      return Outcome("at last")
    }
    defer { isReleased.value = true }
    daemon.start()
    // What is claimed and not begun would be released at once.
    try eventually { hasBegun.value == true }

    daemon.drain(within: .milliseconds(100))

    #expect(
      site.log.contains(
        "error: a job does not stop: it ends with this process, and goes on elsewhere"))
    #expect(try site.openRun() == "running running -")
    #expect(try site.number("SELECT count(*) FROM jobkit.daemon") == 0)
  }

  @Test func `a daemon ends although its server does not answer`() throws {
    let site = try Site()
    let daemon = try site.daemon()
    daemon.start()
    try site.awaitSuccesses(1)

    try site.server.get().pause()
    let start = ContinuousClock.now
    daemon.drain(within: .milliseconds(100))
    let took = ContinuousClock.now - start
    try site.server.get().resume()

    #expect(took < .hang)
  }

  @Test func `another schedule is taken on without a restart`() throws {
    let site = try Site()
    let daemon = try site.daemon()
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }
    try site.awaitSuccesses(1)

    daemon.reschedule([try .sample(every: .seconds(1), isEnabled: false)])

    try site.wait(
      for: 2, of: "SELECT count(*) FROM jobkit.run WHERE reason = 'disabled in the settings'")
    #expect(try site.ticksWithoutOneRow() == 0)
  }

  @Test func `another retention is in force at once`() throws {
    let site = try Site()
    let daemon = try site.daemon()
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }
    try site.awaitSuccesses(1)
    let ages = try site.connect().run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, parts_left, decided_at,
        decided_by, finished_at)
      SELECT 'sample', moment, 'manual', 'skipped', 'test', 0, moment, 'test', moment
      FROM unnest(ARRAY[2, 5]) AS age, LATERAL (SELECT now() - age * interval '1 day')
        AS run (moment)
      """
    ).affected

    var retention = Retention()
    retention.neverRan = .seconds(3 * 86_400)
    daemon.reschedule([try .sample(every: .seconds(1))], retention: retention)

    let rest: Statement = "SELECT (2 - count(*))::bigint FROM jobkit.run WHERE trigger = 'manual'"
    try site.wait(for: 1, of: rest)
    #expect(ages == 2)
    #expect(try site.number(rest) == 1)
  }
}
