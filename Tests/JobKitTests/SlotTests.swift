@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// Jobs of which only so many parts may run at once, on all hosts together.
@Suite("Parallel parts")
struct SlotTests {
  private func claim(
    _ most: Int, on stage: Stage, slots: Int = 2, by worker: UInt32 = 1
  ) throws -> [ClaimedPart] {
    try Ledger.claim(
      most, of: ["sample", "other"], slots: ["sample": slots], for: .sample(worker),
      lease: .seconds(15), at: stage.clock.reading, on: stage.connection)
  }

  @Test func `as many parts run at once as the job may have, and other jobs go on beside it`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 5)
    try stage.enter("other", parts: 3)

    let first = try claim(1, on: stage) + claim(1, on: stage, by: 2)
    let rest = try claim(10, on: stage, by: 3)

    #expect(first.map(\.job) == ["sample", "sample"])
    #expect(rest.map(\.job) == ["other", "other", "other"])
  }

  @Test func `one claim of many parts takes no more than there is room for`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 5)

    #expect(try claim(10, on: stage, slots: 3).count == 3)
    #expect(try claim(10, on: stage, slots: 3).isEmpty)
    #expect(
      try stage.text("SELECT string_agg(slot::text, ' ' ORDER BY slot) FROM jobkit.part") == "1 2 3"
    )
  }

  @Test func `a part that ends, is given back or is rescued makes room`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 9)

    let parts = try claim(3, on: stage, slots: 3)
    try stage.finish(parts[0])
    try stage.release(parts[1])
    let second = try claim(9, on: stage, slots: 3)
    try stage.pass(.seconds(16))
    let rescued = try stage.rescue()
    let third = try claim(9, on: stage, slots: 3)

    #expect(second.count == 2 && rescued.count == 3 && third.count == 3)
  }

  @Test func `workers that ask at once never run more than may, and none of the parts is lost`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 60)
    let (database, now) = (stage.database, try stage.now)

    let workers = (0..<4).map { number in
      TestThread { try Self.workOff(by: UInt32(number), at: now, database) }
    }
    let done = try workers.flatMap { try $0.value() }

    #expect(done.count == 60 && Set(done).count == 60)
    #expect(try stage.contradictions().isEmpty)
  }

  private static func workOff(
    by worker: UInt32, at now: Instant, _ database: TestDatabase
  ) throws -> [Int] {
    let connection = try database.connect()
    var done: [Int] = []
    while try connection.run("SELECT parts_left > 0 FROM jobkit.run").only[0] {
      let claimed = try Ledger.claim(
        2, of: ["sample"], slots: ["sample": 3], for: .sample(worker), lease: .seconds(15),
        at: "\(now)", on: connection)
      let running: Int = try connection.run(
        "SELECT count(*) FROM jobkit.part WHERE state = 'running'"
      ).only[0]
      #expect(running <= 3)
      for part in claimed {
        try Ledger.finish(part.claim, as: .succeeded, at: "\(now)", on: connection)
        done.append(part.fence.part)
      }
    }
    return done
  }
}
