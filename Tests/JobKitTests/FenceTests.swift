@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("Leases and fences")
struct FenceTests {
  @Test(arguments: [(15_000_000, 0), (15_000_001, 1)])
  func `a part is rescued when its lease is over, not before`(
    microseconds: Int, rescued: Int
  ) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    _ = try stage.claimOne()

    try stage.pass(.microseconds(microseconds))

    #expect(try stage.rescue().count == rescued)
  }

  @Test func `a heartbeat extends the lease, however long the part has run`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    let part = try stage.claimOne()

    for _ in 1...100 {
      try stage.pass(.seconds(14))
      let pulse = try Ledger.extendLeases(
        of: [part.fence], by: .seconds(15), at: stage.clock.reading, on: stage.connection)
      #expect(pulse == Ledger.Pulse(held: [part.fence], cancelled: []))
      #expect(try stage.rescue().isEmpty)
    }
    try stage.finish(part)

    #expect(try stage.state() == "succeeded succeeded")
  }

  @Test func `nobody rescues a part that it has no code for`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    _ = try stage.claimOne()
    try stage.pass(.seconds(60))

    #expect(try stage.rescue(["other"]).isEmpty)
    #expect(try stage.rescue(["other", "sample"]).count == 1)
  }

  @Test func `a part is rescued once, and tells who was lost`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    _ = try stage.claimOne(by: 7)
    try stage.pass(.seconds(60))

    let rescued = try stage.rescue()

    #expect(rescued.map(\.lostDaemon) == [DaemonID.sample(7).text])
    #expect(rescued.map(\.workerLosses) == [1])
    #expect(try stage.rescue().isEmpty)
    #expect(try stage.state() == "running due")
  }

  @Test func `a zombie is refused everything once another has its part`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    let zombie = try stage.claimOne(by: 1)
    try stage.pass(.seconds(60))
    _ = try stage.rescue()
    let heir = try stage.claimOne(by: 2)

    let refused = FenceLost(fence: zombie.fence)
    #expect(throws: refused) { try stage.finish(zombie) }
    #expect(throws: refused) { try stage.finish(zombie, as: .failed("no")) }
    #expect(throws: refused) { try stage.release(zombie) }
    #expect(throws: refused) {
      try Ledger.save(Progress(), under: zombie.claim, on: stage.connection)
    }
    let pulse = try Ledger.extendLeases(
      of: [zombie.fence, heir.fence], by: .seconds(15), at: stage.clock.reading,
      on: stage.connection)

    #expect(pulse.held == [heir.fence])
    #expect(
      refused.description == "part 0 of run 1 is no longer ours (epoch 1): this worker was silent"
        + " for longer than its lease, or the server has forgotten what it committed; what it was"
        + " writing is rolled back")
    try stage.finish(heir)
    #expect(try stage.state() == "succeeded succeeded")
  }

  @Test func `a zombie that nobody has missed yet goes on`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    let slow = try stage.claimOne()
    try stage.pass(.seconds(60))

    let pulse = try Ledger.extendLeases(
      of: [slow.fence], by: .seconds(15), at: stage.clock.reading, on: stage.connection)

    #expect(pulse.held == [slow.fence])
    #expect(try stage.rescue().isEmpty)
  }

  @Test func `what loses its worker again and again has failed`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()

    for _ in 1...3 {
      _ = try stage.claimOne()
      try stage.pass(.seconds(60))
      #expect(try stage.rescue().count == 1)
    }
    let runs = Counter()
    let job = Rehearsed { _ in Outcome("run \(runs.next())") }
    var policies = Policies()
    policies.retry = Retry(workerLosses: 2)
    var worker = try stage.worker(1, WorkerPool.Member(job: job, policies: policies))
    let end = try worker.work().first?.end

    #expect(runs.value == 0)
    let error = try stage.text("SELECT error FROM jobkit.part")
    #expect(
      error
        == "lost its worker or its connection 3 times in a row without finishing a chunk, so it is given"
        + " up: this part probably crashes the daemon or its database session; find the cause, then"
        + " 'worker retry 1'")
    #expect(end.map { "\($0)" } == "failed: \(error)")
    #expect(try stage.state() == "failed failed")
  }

  @Test func `what comes further before it loses its worker again is in no crash loop`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()

    var lossesWithoutProgress: [Int] = []
    // The fifth is the fourth again: a chunk that changes nothing brings it no further.
    for chunk in [1, 2, 3, 4, 4] {
      let part = try stage.claimOne()
      lossesWithoutProgress.append(part.lossesWithoutProgress)
      var progress = part.saved
      progress.cursor = "\(chunk)"
      try Ledger.save(progress, under: part.claim, on: stage.connection)
      try stage.pass(.seconds(60))
      _ = try stage.rescue()
    }
    let last = try stage.claimOne()

    #expect(lossesWithoutProgress == [0, 1, 1, 1, 1])
    #expect(last.lossesWithoutProgress == 2 && last.workerLosses == 5)
  }

  @Test func `a rescued part of a run that was cancelled ends, and is not run again`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 2)
    _ = try stage.claim(2)
    #expect(try Ledger.cancel(1, by: "ana", at: stage.now, on: stage.connection))
    try stage.pass(.seconds(60))

    let rescued = try stage.rescue()
    let claimed = try stage.claim(2)
    _ = try Ledger.endCancelled(at: stage.now, on: stage.connection)

    #expect(rescued.map(\.isCancelled) == [true, true])
    #expect(claimed.isEmpty)
    #expect(try stage.state() == "cancelled (cancelled by ana) cancelled,cancelled")
  }

  @Test func `rescuers, finishers and heartbeats at once leave no contradiction`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let (runs, parts) = (30, 4)
    for _ in 1...runs { try stage.enter(parts: parts) { $0.overlap = .allow } }
    let (database, now) = (stage.database, try stage.now)

    let workers = (0..<4).map { number in
      TestThread { try Self.loseSome(by: UInt32(number), at: now, database) }
    }
    let finished = try workers.map { try $0.value() }.reduce(0, +)

    #expect(finished == runs * parts)
    #expect(try stage.contradictions().isEmpty)
    #expect(
      try stage.count("SELECT count(*) FROM jobkit.run WHERE state = 'succeeded'") == runs)
  }

  /// Claims parts with a lease that is over at once, so that every worker rescues those of the others.
  private static func loseSome(
    by worker: UInt32, at now: Instant, _ database: TestDatabase
  ) throws -> Int {
    let connection = try database.connect()
    var finished = 0
    while try connection.run(
      "SELECT EXISTS (SELECT FROM jobkit.run WHERE finished_at IS NULL) AS is_open"
    ).only["is_open"] {
      _ = try persistent { () throws(PostgresError) in
        try Ledger.rescue(["sample"], at: now, on: connection)
      }
      let claimed = try Ledger.claim(
        3, of: ["sample"], for: .sample(worker), lease: .seconds(-1), at: "\(now)", on: connection)
      for part in claimed {
        do {
          try Ledger.finish(part.claim, as: .succeeded, at: "\(now)", on: connection)
          finished += 1
        } catch is FenceLost {}
      }
    }
    return finished
  }

  /// Tries again what met a deadlock, as the next heartbeat does.
  private static func persistent<Value>(
    _ work: () throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    while true {
      do throws(PostgresError) {
        return try work()
      } catch  where error.isRetryable {
        continue
      }
    }
  }
}
