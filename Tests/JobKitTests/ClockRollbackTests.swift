@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import Runner
import TestKit
import Testing

/// What was written before the clock was set back, and would hold until it has caught up.
@Suite("A clock that was set back")
struct ClockRollbackTests {
  private let stage: Stage

  init() throws { stage = try Stage(at: "2026-03-01T12:00:00Z") }

  private func rollBackClock(by step: Duration) throws {
    stage.clock.turn(to: try stage.now - step)
  }

  /// What a maintenance loop does about it; returns how many rows it brought back.
  private func beat(at policies: Policies = Policies()) throws -> Int {
    guard try stage.maintenanceQuery(at: policies).reachesTooFar else { return 0 }
    return try bringBack(at: stage.now, under: policies)
  }

  private func bringBack(at now: Instant, under policies: Policies = Policies()) throws -> Int {
    try Ledger.bringBack(
      lease: .seconds(15), at: now, by: stage.clock, on: stage.connection)
      + Ledger.bringStartsBack(
        delays: ["sample": policies.longestDelay], by: stage.clock, on: stage.connection)
  }

  @Test func `a part whose worker is lost is rescued a lease later, not an hour later`()
    throws
  {
    try stage.enter()
    _ = try stage.claimOne()

    try rollBackClock(by: .seconds(3600))
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

    try rollBackClock(by: .seconds(3600))
    _ = try beat()
    try stage.pass(.seconds(16))
    _ = try Ledger.endCancelled(at: stage.now, on: stage.connection)

    #expect(try stage.state() == "cancelled (cancelled by ana) cancelled")
  }

  @Test func `a worker that lives keeps its part`() throws {
    try stage.enter()
    let part = try stage.claimOne()

    try rollBackClock(by: .seconds(3600))
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

    try rollBackClock(by: .seconds(seconds))

    #expect(try beat() == rows)
  }

  @Test func `a part that waits for a worker is claimed at once, not an hour later`() throws {
    try stage.enter(parts: 2)
    let first = try stage.claimOne()

    try rollBackClock(by: .seconds(3600))
    let rows = try beat()
    try stage.finish(first)
    let second = try stage.claim()

    #expect(rows == 2)
    #expect(second.map(\.fence.part) == [1])
    #expect(try beat() == 0)
  }

  @Test func `what waits for a worker comes back in batches, in the order of its runs`() throws {
    for _ in 1...5 { try stage.enter { $0.overlap = .allow } }
    // In hostile order: the last run would be first.
    try stage.connection.run(
      "UPDATE jobkit.part SET not_before = not_before - run * interval '1 minute'")

    try rollBackClock(by: .seconds(86_400))
    var batches: [Int] = []
    for _ in 1...3 {
      batches.append(
        try Ledger.bringStartsBack(
          delays: ["sample": .seconds(900)], limit: 2, by: stage.clock, on: stage.connection))
      try stage.pass(.milliseconds(10))
    }

    #expect(batches == [2, 2, 1])
    #expect(try !stage.maintenanceQuery().reachesTooFar)
    #expect(try stage.claim(10).map(\.fence.run) == [1, 2, 3, 4, 5])
    #expect(try stage.count("SELECT count(DISTINCT not_before) FROM jobkit.part") == 3)
  }

  @Test func `a part that failed waits as long as it ever may, not an hour longer`() throws {
    try stage.enter()
    try stage.release(try stage.claimOne(), because: .failed("no"))

    try rollBackClock(by: .seconds(3600))
    let rows = try beat()
    try stage.pass(Retry().longest - .seconds(1))
    let early = try stage.claim()
    try stage.pass(.seconds(1))

    #expect(rows == 1 && early.isEmpty)
    #expect(try stage.claim().count == 1)
  }

  @Test(arguments: [
    (0, 1800, 0), (0, 1801, 1), (7200, 3600, 0), (7200, 14_400, 0), (7200, 14_401, 1),
  ])
  func `a part that may have been put off for so long is let alone`(
    jitter: Int, seconds: Int, rows: Int
  ) throws {
    var policies = Policies()
    policies.jitter = .seconds(jitter)
    try stage.enter()

    try rollBackClock(by: .seconds(seconds))

    #expect(try beat(at: policies) == rows)
  }

  @Test func `a maintenance loop that was frozen since it read the clock lets no part start early`()
    throws
  {
    let read = try stage.now
    try stage.pass(.seconds(3600))
    try stage.enter()
    try stage.connection.run(
      "UPDATE jobkit.part SET not_before = not_before + interval '10 minutes'")

    _ = try bringBack(at: read)

    #expect(try stage.claim().isEmpty)
  }

  @Test func `a maintenance loop that was frozen since it read the clock ends no lease`() throws {
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

    try rollBackClock(by: .seconds(3600))
    let rows = try beat()
    try stage.pass(.seconds(61))

    #expect(rows == 1)
    let now = try stage.now
    #expect(try Ledger.daemons(on: stage.connection).map { $0.isAlive(at: now) } == [false])
  }

  @Test func `a message whose daemon is lost is taken over`() throws {
    try stage.fail()
    let lost = try #require(try stage.claimMessages(by: "one").first)

    try rollBackClock(by: .seconds(3600))
    let rows = try beat()
    let early = try stage.claimMessages(by: "two")
    try stage.pass(SentMessage.lease)

    #expect(rows == 1 && early.isEmpty)
    #expect(try stage.claimMessages(by: "two").map(\.id) == [lost.id])
  }

  @Test(arguments: [false, true])
  func `a tick that waits for another job waits no hour longer`(byScheduler: Bool) throws {
    let settle = try ScheduledJob.sample("settle", after: After(["load"], limit: .seconds(600)))
    var scheduler = try stage.scheduler(settle)
    try stage.tick(&scheduler)

    try rollBackClock(by: .seconds(3600))
    for _ in 1...2 {
      if byScheduler {
        _ = try scheduler.pass(at: stage.now, on: stage.connection)
      } else {
        _ = try Ledger.bringBack(
          lease: .seconds(15), waitsOf: [settle], at: stage.now, by: stage.clock,
          on: stage.connection)
      }
      try stage.pass(.seconds(10))
    }

    #expect(
      try stage.text("SELECT (after_until AT TIME ZONE 'UTC')::text FROM jobkit.run WHERE id = 1")
        == "2026-03-01 11:11:00")
  }

  @Test func `what people were told in a time to come puts nothing off`() throws {
    try stage.fail()
    #expect(try stage.record(try #require(try stage.claimMessages().first)))

    try rollBackClock(by: .seconds(3600))
    try stage.fail()

    #expect(try stage.claimMessages().map(\.times) == [1])
  }
}
