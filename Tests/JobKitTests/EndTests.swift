@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("How runs end")
struct EndTests {
  @Test(arguments: [
    ([PartEnd.succeeded, .succeeded], "succeeded succeeded,succeeded"),
    ([.succeeded, .failed("no")], "failed succeeded,failed"),
    ([.failed("no"), .succeeded], "failed failed,succeeded"),
  ])
  func `a run is what its parts came to`(ends: [PartEnd], state: String) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 2)
    let parts = try stage.claim(2)

    for (part, end) in zip(parts, ends) {
      #expect(try stage.state().hasPrefix("running"))
      try stage.finish(part, as: end)
    }

    #expect(try stage.state() == state)
    #expect(try stage.contradictions().isEmpty)
  }

  @Test func `a run that is too late to start keeps no tick from running, and is not claimed`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample { $0.startWithin = .seconds(30) })
    for _ in 1...2 {
      try stage.pass(.seconds(60))
      _ = try scheduler.pass(at: stage.now, on: stage.connection)
    }

    let early = try stage.claim()
    let late = try Ledger.missLate(["sample"], at: stage.now, on: stage.connection)
    let claimed = try stage.claim()

    #expect(early.isEmpty && late == ["sample"] && claimed.map(\.fence.run) == [2])
    #expect(
      try stage.runs() == [
        "2026-03-01T10:01:00Z missed no worker was free in time", "2026-03-01T10:02:00Z running",
      ])
  }

  @Test func `a cancelled run of which nobody takes up a lost part ends all the same`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 2)
    let lost = try stage.claimOne()
    _ = try Ledger.cancel(1, by: "ana", at: stage.now, on: stage.connection)
    let whileAlive = try stage.state()

    try stage.pass(.seconds(16))
    _ = try Ledger.endCancelled(at: stage.now, on: stage.connection)

    #expect(whileAlive == "running running,cancelled")
    #expect(try stage.state() == "cancelled (cancelled by ana) cancelled,cancelled")
    #expect(throws: FenceLost.self) { try stage.finish(lost) }
  }

  @Test func `only the end of a run's last part waits for the disk`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 2)
    let parts = try stage.claim(2)

    let commits = try parts.map { part in
      try stage.connection.transaction { connection in
        try connection.run("SET LOCAL synchronous_commit = 'on'")
        try Ledger.finish(
          part.claim, as: .succeeded, at: stage.clock.reading, on: connection)
        return try connection.run("SELECT current_setting('synchronous_commit')").only[0] as String
      }
    }

    #expect(commits == ["off", "on"])
  }

  @Test func `a due run that is cancelled ends at once`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 3)

    #expect(try Ledger.cancel(1, by: "ana", at: stage.now, on: stage.connection))

    #expect(try stage.state() == "cancelled (cancelled by ana) cancelled,cancelled,cancelled")
    #expect(try !Ledger.cancel(1, by: "bob", at: stage.now, on: stage.connection))
    #expect(try !Ledger.cancel(99, by: "bob", at: stage.now, on: stage.connection))
  }

  @Test(arguments: [
    (PartEnd.cancelled, "cancelled (cancelled by ana) cancelled,cancelled"),
    (.succeeded, "cancelled (cancelled by ana) succeeded,cancelled"),
    (.failed("no"), "failed failed,cancelled"),
  ])
  func `a run that is cancelled ends with the part that was running`(
    end: PartEnd, state: String
  ) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 2)
    let part = try stage.claimOne()

    #expect(try Ledger.cancel(1, by: "ana", at: stage.now, on: stage.connection))
    let meanwhile = try stage.state()
    let pulse = try Ledger.extendLeases(
      of: [part.fence], by: .seconds(15), at: stage.clock.reading, on: stage.connection)
    try stage.finish(part, as: end)

    #expect(meanwhile == "running running,cancelled")
    #expect(pulse.cancelled == [part.fence])
    #expect(try stage.state() == state)
    #expect(try stage.contradictions().isEmpty)
  }

  @Test func `a cancellation that comes when the work is done cancels nothing`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 2)
    let parts = try stage.claim(2)

    #expect(try Ledger.cancel(1, by: "ana", at: stage.now, on: stage.connection))
    for part in parts { try stage.finish(part) }

    #expect(try stage.state() == "succeeded succeeded,succeeded")
  }

  @Test(arguments: [ReleaseReason.drained, .failed("no")])
  func `a part that is given back when its run is cancelled ends`(reason: ReleaseReason) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    let part = try stage.claimOne()
    #expect(try Ledger.cancel(1, by: "ana", at: stage.now, on: stage.connection))

    try stage.release(part, because: reason)
    _ = try Ledger.endCancelled(at: stage.now, on: stage.connection)

    #expect(try stage.state() == "cancelled (cancelled by ana) cancelled")
  }

  @Test(arguments: [(0, "due due,due"), (1, "missed (no worker was free in time) ")])
  func `a run that nobody started in time is missed`(seconds: Int, state: String) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample(parts: 2) { $0.startWithin = .seconds(30) })
    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    try stage.pass(.seconds(30 + seconds))
    _ = try Ledger.missLate(["sample"], at: stage.now, on: stage.connection)

    #expect(try stage.state() == state)
  }

  @Test func `a run is not missed by one that has no code for it, nor once a part has begun`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample(parts: 2) { $0.startWithin = .seconds(30) })
    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    let late = try stage.now + .seconds(31)

    _ = try Ledger.missLate(["other"], at: late, on: stage.connection)
    let withoutCode = try stage.state()
    let part = try stage.claimOne()
    _ = try Ledger.missLate(["sample"], at: late, on: stage.connection)

    #expect(withoutCode == "due due,due")
    #expect(try stage.state() == "running running,due")
    try stage.finish(part)
  }

  @Test func `claims and the start deadline at one instant leave no contradiction`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let runs = 150
    for _ in 1...runs { try stage.enter(parts: 3) { $0.overlap = .allow } }
    try stage.connection.run("UPDATE jobkit.run SET start_before = \(try stage.now)")
    let (database, inTime, now) = (stage.database, try stage.now, try stage.now + .seconds(1))

    let claimers = (0..<3).map { number in
      TestThread { try Self.claimAll(by: UInt32(number), at: inTime, database) }
    }
    let misser = TestThread {
      let connection = try database.connect()
      for _ in 1...200 { _ = try Ledger.missLate(["sample"], at: now, on: connection) }
    }
    let claimed = try claimers.flatMap { try $0.value() }
    try misser.value()

    #expect(try stage.contradictions().isEmpty)
    #expect(
      try stage.count("SELECT count(*) FROM jobkit.part WHERE state = 'running'") == claimed.count)
    #expect(
      try stage.count("SELECT count(*) FROM jobkit.run WHERE state = 'missed'")
        == runs - Set(claimed.map(\.run)).count)
  }

  private static func claimAll(
    by worker: UInt32, at now: Instant, _ database: TestDatabase
  ) throws -> [Fence] {
    let connection = try database.connect()
    var claimed: [Fence] = []
    while let part = try Ledger.claim(
      1, of: ["sample"], for: .sample(worker), lease: .seconds(15), at: "\(now)", on: connection
    ).first { claimed.append(part.fence) }
    return claimed
  }

  @Test func `the counters of a run are those of its parts together`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 3)
    for part in try stage.claim(3) {
      var progress = Progress(cursor: "x", done: part.fence.part, total: 10)
      progress.counters.count("sent", 10 * part.fence.part)
      if part.fence.part == 2 { progress.counters.count("quiet", 7) }
      try Ledger.save(progress, under: part.claim, on: stage.connection)
      try stage.finish(part, after: progress)
    }

    let run = try #require(try Ledger.runs(Ledger.RunFilter(), on: stage.connection).first)

    #expect((run.done, run.total) == (3, 30))
    #expect(run.counters["sent"] == 30 && run.counters["quiet"] == 7)
  }

  @Test func `how much a run has to do is not told before each of its parts knows`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 2)
    let part = try #require(try stage.claim(1).first)
    let progress = Progress(cursor: "x", done: 10, total: 10)
    try Ledger.save(progress, under: part.claim, on: stage.connection)

    let run = try #require(try Ledger.runs(Ledger.RunFilter(), on: stage.connection).first)

    #expect(run.done == 10 && run.total == nil)
  }
}
