@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Migrations
import Postgres
import TestKit
import TestSupport
import Testing

/// A job whose row in jobkit.job is gone while a daemon schedules it.
@Suite("A job whose row is gone")
struct LostRowTests {
  @Test func `it is entered anew by the pass that notices, which loses no tick`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample())
    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    try stage.connection.run("DELETE FROM jobkit.run")
    try stage.connection.run("DELETE FROM jobkit.job")

    try stage.pass(.seconds(60))
    let pass = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(pass.failures.isEmpty)
    #expect(pass.entered.map(\.job) == ["sample"])
    #expect(pass.entered.map(\.since) == [try Instant("2026-03-01T10:01:00Z")])
    #expect(try stage.runs() == ["2026-03-01T10:02:00Z due"])
    #expect(try stage.count("SELECT count(*) FROM jobkit.schedule") == 1)
  }

  @Test func `it loses no tick either when the daemon ends right after it has entered it`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample())
    try stage.connection.run("DELETE FROM jobkit.job")
    try stage.connection.run(
      "ALTER TABLE jobkit.run ADD CONSTRAINT nothing CHECK (false) NOT VALID")
    try stage.pass(.seconds(60))
    let pass = try scheduler.pass(at: stage.now, on: stage.connection)
    try stage.connection.run("ALTER TABLE jobkit.run DROP CONSTRAINT nothing")

    try stage.pass(.seconds(10))
    var other = try stage.scheduler(.sample(), daemon: "other")
    _ = try other.pass(at: stage.now, on: stage.connection)

    #expect(pass.entered.map(\.job) == ["sample"] && pass.failures.map(\.job) == ["sample"])
    #expect(try stage.runs() == ["2026-03-01T10:01:00Z due"])
  }

  @Test func `it is found out long before its next tick`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample(every: .seconds(86_400)))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    try stage.connection.run("DELETE FROM jobkit.job")

    try stage.pass(.seconds(15))
    try scheduler.lookAgain(on: stage.connection)
    let pass = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(pass.entered.map(\.job) == ["sample"])
    #expect(try stage.count("SELECT count(*) FROM jobkit.job") == 1)
    #expect(try scheduler.pass(at: stage.now, on: stage.connection).entered.isEmpty)
  }

  @Test func `a daemon goes on when its schema is dropped and migrated anew under it`() throws {
    let site = try Site()
    let daemon = try site.daemon()
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }
    try site.awaitSuccesses(2)

    let connection = try site.connect()
    try connection.transaction { connection in
      try connection.run("DROP SCHEMA jobkit CASCADE")
    }
    try Schema().migrate(
      by: "test", at: LedgerClock.database.now(on: connection), on: connection)

    try site.awaitSuccesses(3)
    #expect(try site.ticksWithoutOneRow() == 0)
  }
}
