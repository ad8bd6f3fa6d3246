@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// Races held still: one side stands in an open transaction until the other waits for it.
@Suite("Races held still")
struct RaceTests {
  @Test func `of two runs that open at one instant the second waits its turn`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    try stage.finish(stage.claimOne(), as: .failed("no"))
    try stage.enter()
    let (database, now) = (stage.database, try stage.now)

    let second = try database.connectToServer().transaction { first in
      let claimed = try claim(by: 1, at: now, on: first)
      #expect(claimed.map(\.fence.run) == [2])
      #expect(try Ledger.retry(1, at: now, on: stage.connection))
      let second = TestThread { try claim(by: 2, at: now, on: database.connectToServer()) }
      try stage.awaitSomebodyBlocked()
      return second
    }

    #expect(try second.value().isEmpty)
    #expect(try stage.contradictions().isEmpty)
  }

  @Test func `whoever retries a run after another did finds it under way`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 2)
    for part in try stage.claim(2) { try stage.finish(part, as: .failed("no")) }
    let (database, now) = (stage.database, try stage.now)

    let second = try database.connectToServer().transaction { first in
      #expect(try Ledger.retry(1, at: now, on: first))
      let part = try #require(try claim(by: 1, at: now, on: first).first)
      let second = TestThread { try Ledger.retry(1, at: now, on: database.connectToServer()) }
      try stage.awaitSomebodyBlocked()
      try Ledger.finish(part.claim, as: .failed("again"), at: "\(now)", on: first)
      return second
    }

    #expect(try !second.value())
    #expect(try stage.state() == "running failed,due")
    #expect(try stage.contradictions().isEmpty)
  }

  @Test func `a run of which somebody is just claiming a part is not missed`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 2)
    try stage.connection.run("UPDATE jobkit.run SET start_before = \(try stage.now)")
    try stage.pass(.seconds(1))

    try stage.database.connectToServer().transaction { other in
      try other.run("SELECT FROM jobkit.part WHERE number = 0 FOR UPDATE")
      _ = try Ledger.missLate(["sample"], at: stage.now, on: stage.connection)
    }

    #expect(try stage.state() == "due due,due")
  }

  @Test
  func `a lost part that is locked holds up no maintenance loop, and is ended once it is free`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    for _ in 1...2 { try stage.enter { $0.overlap = .allow } }
    let frozen = try stage.claimOne(by: 1)
    let alive = try stage.claimOne(by: 2)
    #expect(try Ledger.cancel(frozen.fence.run, by: "ana", at: stage.now, on: stage.connection))
    try stage.pass(.seconds(16))

    try stage.database.connectToServer().transaction { other in
      try other.run("SELECT FROM jobkit.part WHERE run = \(frozen.fence.run) FOR UPDATE")
      let ended = try Ledger.endCancelled(at: stage.now, on: stage.connection)
      let pulse = try Ledger.extendLeases(
        of: [alive.fence], by: .seconds(15), at: stage.clock.reading, on: stage.connection)
      #expect(ended == 0 && pulse.held == [alive.fence])
    }
    let ended = try Ledger.endCancelled(at: stage.now, on: stage.connection)

    #expect(ended == 1)
    #expect(try stage.state(of: frozen.fence.run) == "cancelled (cancelled by ana) cancelled")
    #expect(try stage.rescue().isEmpty)
  }

  @Test func `a part whose row somebody has locked costs no other part its lease`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    for _ in 1...2 { try stage.enter { $0.overlap = .allow } }
    let (locked, free) = (try stage.claimOne(by: 1), try stage.claimOne(by: 1))
    let lost = Fence(run: locked.fence.run, part: 0, epoch: locked.fence.epoch - 1)
    #expect(try Ledger.cancel(locked.fence.run, by: "ana", at: stage.now, on: stage.connection))
    try stage.pass(.seconds(10))

    let (pulse, taken) = try stage.database.connectToServer().transaction { other in
      try other.run("SELECT FROM jobkit.part WHERE run = \(locked.fence.run) FOR UPDATE")
      let pulse = try Ledger.extendLeases(
        of: [locked.fence, lost, free.fence], by: .seconds(15), at: stage.clock.reading,
        on: stage.connection)
      try stage.pass(.seconds(10))
      return (pulse, try stage.rescue())
    }

    #expect(
      pulse
        == Ledger.Pulse(
          held: [locked.fence, free.fence], cancelled: [locked.fence], unextended: [locked.fence]))
    #expect(taken.isEmpty)
    #expect(try stage.rescue().map(\.run) == [locked.fence.run])
  }

  @Test func `a heartbeat that had to wait extends the lease from when it has the part`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    let part = try stage.claimOne()
    let (database, clock) = (stage.database, LedgerClock.database)

    let (beat, moment) = try database.connectToServer().transaction { other in
      try other.run("SELECT FROM jobkit.part FOR UPDATE")
      let beat = TestThread {
        try Ledger.extendLeases(
          of: [part.fence], by: .seconds(15), at: clock.readingOnTheSpot,
          on: database.connectToServer())
      }
      try stage.awaitSomebodyBlocked()
      return (beat, try clock.now(on: stage.connection))
    }

    #expect(try beat.value().held == [part.fence])
    let end: Instant = try stage.connection.run("SELECT lease_until FROM jobkit.part").only[0]
    #expect(end >= moment + .seconds(15))
  }
}

private func claim(
  by worker: UInt32, at now: Instant, on connection: borrowing Connection
) throws -> [ClaimedPart] {
  try Ledger.claim(
    1, of: ["sample"], for: .sample(worker), lease: .seconds(15), at: "\(now)", on: connection)
}

extension Stage {
  /// Waits until a session of this database waits for a lock that another holds.
  fileprivate func awaitSomebodyBlocked() throws {
    try eventually {
      try connection.run(
        """
        SELECT EXISTS (SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock')
        """
      ).only[0]
    }
  }
}
