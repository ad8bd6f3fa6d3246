@testable import JobKit

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
      try Ledger.finish(part.fence, as: .failed("again"), at: "\(now)", on: first)
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
