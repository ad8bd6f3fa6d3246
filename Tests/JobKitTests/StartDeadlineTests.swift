@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("Runs that cannot begin in time")
struct StartDeadlineTests {
  private func job(_ overlap: Overlap) throws -> ScheduledJob {
    try .sample { ($0.overlap, $0.startWithin) = (overlap, .seconds(30)) }
  }

  @Test(arguments: [
    (Overlap.queueOne, "an earlier run was not over in time"),
    (.cancelOther, "an earlier run was not over in time"), (.allow, "no worker was free in time"),
  ])
  func `a run that is written off says whether it had to wait for an earlier one`(
    overlap: Overlap, reason: String
  ) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(job(overlap))
    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    _ = try stage.claimOne()
    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    try stage.pass(.seconds(31))
    let missed = try Ledger.missLate(["sample"], at: stage.now, on: stage.connection)

    #expect(missed == ["sample"])
    #expect(try stage.state(of: 2) == "missed (\(reason)) ")
  }

  @Test func `a tick behind a backfill that must be alone waits for it`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter { $0.overlap = .skip }
    try stage.connection.run("UPDATE jobkit.run SET trigger = 'backfill'")
    _ = try stage.claimOne()
    var scheduler = try stage.scheduler(job(.allow))
    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    try stage.pass(.seconds(31))
    _ = try Ledger.missLate(["sample"], at: stage.now, on: stage.connection)

    #expect(try stage.state(of: 2) == "missed (an earlier run was not over in time) ")
  }
}
