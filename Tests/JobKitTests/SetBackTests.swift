@testable import JobKit

import LocalTime
import Postgres
import TestKit
import Testing

/// What was written before the clock was set back, and would hold until it has caught up.
@Suite("A clock that was set back")
struct SetBackTests {
  private let stage: Stage

  init() throws { stage = try Stage(at: "2026-03-01T12:00:00Z") }

  private func setBack(by step: Duration) throws { stage.clock.turn(to: try stage.now - step) }

  /// What a heart does about it; returns how many rows it brought back.
  private func beat() throws -> Int {
    guard try stage.glance().reachesTooFar else { return 0 }
    return try bringBack(at: stage.now)
  }

  private func bringBack(at now: Instant) throws -> Int {
    try Ledger.bringBack(
      lease: .seconds(15), at: now, by: stage.clock, on: stage.connection)
  }

  @Test func `a part whose worker is lost is rescued a lease later, not an hour later`()
    throws
  {
    try stage.enter()
    _ = try stage.claimOne()

    try setBack(by: .seconds(3600))
    let rows = try beat()
    let early = try stage.rescue()
    try stage.pass(.seconds(16))

    #expect(rows == 1 && early.isEmpty)
    #expect(try stage.rescue().count == 1)
    #expect(try beat() == 0)
  }

  @Test func `a run that was cancelled ends although nobody rescues its part`() throws {
    try stage.enter()
    _ = try stage.claimOne()
    #expect(try Ledger.cancel(1, by: "ana", at: stage.now, on: stage.connection))

    try setBack(by: .seconds(3600))
    _ = try beat()
    try stage.pass(.seconds(16))
    _ = try Ledger.endCancelled(at: stage.now, on: stage.connection)

    #expect(try stage.state() == "cancelled (cancelled by ana) cancelled")
  }

  @Test func `a worker that lives keeps its part`() throws {
    try stage.enter()
    let part = try stage.claimOne()

    try setBack(by: .seconds(3600))
    for _ in 1...4 {
      _ = try beat()
      try stage.pass(.seconds(14))
      let pulse = try Ledger.extendLeases(
        of: [part.fence], by: .seconds(15), at: stage.clock.reading, on: stage.connection)
      #expect(try pulse.held == [part.fence] && stage.rescue().isEmpty)
    }
    try stage.finish(part)

    #expect(try stage.state() == "succeeded succeeded")
  }

  @Test(arguments: [(15, 0), (16, 1)])
  func `a step of less than a lease is let alone`(seconds: Int, rows: Int) throws {
    try stage.enter()
    _ = try stage.claimOne()

    try setBack(by: .seconds(seconds))

    #expect(try beat() == rows)
  }

  @Test func `a heart that was frozen since it read the clock ends no lease`() throws {
    let read = try stage.now
    try stage.pass(.seconds(3600))
    try stage.enter()
    _ = try stage.claimOne()

    _ = try bringBack(at: read)
    try stage.pass(.seconds(15))

    #expect(try stage.rescue().isEmpty)
  }

  @Test func `a daemon that is gone does not count as alive`() throws {
    try Ledger.showAlive(
      .sample(7), jobs: ["sample"], draining: false, at: stage.now, on: stage.connection)

    try setBack(by: .seconds(3600))
    let rows = try beat()
    try stage.pass(.seconds(61))

    #expect(rows == 1)
    let now = try stage.now
    #expect(try Ledger.daemons(on: stage.connection).map { $0.isAlive(at: now) } == [false])
  }

  @Test func `a message whose daemon is lost is taken over`() throws {
    try stage.fail()
    let lost = try #require(try stage.claimMessages(by: "one").first)

    try setBack(by: .seconds(3600))
    let rows = try beat()
    let early = try stage.claimMessages(by: "two")
    try stage.pass(Teller.lease)

    #expect(rows == 1 && early.isEmpty)
    #expect(try stage.claimMessages(by: "two").map(\.id) == [lost.id])
  }

  @Test func `what people were told in a time to come puts nothing off`() throws {
    try stage.fail()
    #expect(try stage.record(try #require(try stage.claimMessages().first)))

    try setBack(by: .seconds(3600))
    try stage.fail()

    #expect(try stage.claimMessages().map(\.times) == [1])
  }
}
