@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("Claims")
struct ClaimTests {
  @Test func `the highest priority goes first, then what has waited longest`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    for priority in [0, 5, 0, 9] {
      try stage.enter { ($0.overlap, $0.priority) = (.allow, priority) }
      try stage.pass(.seconds(1))
    }

    let order = try stage.claim(10).map(\.fence.run)

    #expect(order == [4, 2, 1, 3])
  }

  @Test func `a part is claimed by one worker, and from its moment on`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()

    let first = try stage.claim(by: 1)
    let second = try stage.claim(by: 2)
    try stage.release(first[0], because: .failed("no"))
    try stage.connection.run(
      "UPDATE jobkit.part SET not_before = \(try stage.now + .microseconds(1))")
    let early = try stage.claim()
    try stage.pass(.microseconds(1))
    let due = try stage.claim()

    #expect((first.count, second.count, early.count, due.count) == (1, 0, 0, 1))
    #expect(due[0].fence.epoch == 2 && due[0].failures == 1)
  }

  @Test func `a claim does not wait for the server's disk`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()

    let commit: String = try stage.connection.transaction { connection in
      try connection.run("SET LOCAL synchronous_commit = 'on'")
      _ = try Ledger.claim(
        1, of: ["sample"], for: .sample(1), lease: .seconds(15), at: stage.clock.reading,
        on: connection)
      return try connection.run("SELECT current_setting('synchronous_commit')").only[0]
    }

    #expect(commit == "off")
  }

  @Test func `a claim that makes safe what came before waits for the disk, found or not`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    try stage.connection.run("SET synchronous_commit = 'on'")
    func claim() throws -> Bool {
      let before = try stage.text("SELECT pg_current_wal_insert_lsn()::text")
      _ = try Ledger.claim(
        1, of: ["sample"], for: .sample(1), lease: .seconds(15), isSafe: true,
        at: stage.clock.reading, on: stage.connection)
      return try stage.connection.run(
        "SELECT pg_current_wal_flush_lsn() > \(before)::pg_lsn"
      ).only[0]
    }

    #expect(try claim() && claim())
  }

  @Test func `nobody claims what it has no code for`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter("other")

    #expect(try stage.claim(of: ["sample"]).isEmpty)
    #expect(try stage.claim(of: ["other"]).count == 1)
  }

  @Test func `a run that must be alone waits for the one before it`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    for _ in 1...2 { try stage.enter() }

    let first = try stage.claim(10)
    let meanwhile = try stage.claim(10)
    try stage.finish(first[0])
    let second = try stage.claim(10)

    #expect(first.map(\.fence.run) == [1] && meanwhile.isEmpty && second.map(\.fence.run) == [2])
  }

  @Test(arguments: [(Overlap.allow, Overlap.skip), (.skip, .allow)])
  func `a run that must be alone goes beside none, whatever the other allows`(
    first: Overlap, second: Overlap
  ) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    for overlap in [first, second] { try stage.enter { $0.overlap = overlap } }

    let claimed = try stage.claim(10)

    #expect(claimed.map(\.fence.run) == [1])
  }

  @Test func `runs that may overlap go side by side`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    for _ in 1...3 { try stage.enter { $0.overlap = .allow } }

    #expect(try stage.claim(10).map(\.fence.run) == [1, 2, 3])
  }

  @Test func `a run that goes on keeps its other parts when an older run becomes due again`() throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    try stage.finish(stage.claimOne(), as: .failed("no"))
    try stage.enter(parts: 2)
    let first = try stage.claimOne()

    #expect(try Ledger.retry(1, at: stage.now, on: stage.connection))
    let second = try stage.claimOne()
    try stage.finish(first)
    try stage.finish(second)
    let retried = try stage.claimOne()

    #expect([first, second].map(\.fence.run) == [2, 2])
    #expect(retried.fence.run == 1)
  }

  @Test func `the parts of a run that somebody wants to end are not claimed`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 2)
    let part = try stage.claimOne()
    try stage.connection.run(
      "UPDATE jobkit.run SET cancel_asked_at = \(try stage.now), cancel_asked_by = 'ana'")

    try stage.release(part)

    #expect(try stage.claim(10).isEmpty)
  }

  @Test func `many workers run exclusive runs one after the other, in order, never together`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let runs = 200
    for _ in 1...runs { try stage.enter() }
    let (database, now) = (stage.database, try stage.now)

    let workers = (0..<6).map { number in
      TestThread { try Self.workOff(runs, by: UInt32(number), at: now, database) }
    }
    let orders = try workers.map { try $0.value() }

    #expect(orders.flatMap(\.self).sorted() == Array(1...runs))
    #expect(orders.allSatisfy { $0 == $0.sorted() })
    #expect(
      try stage.count("SELECT count(*) FROM jobkit.run WHERE state = 'succeeded'") == runs)
    #expect(try stage.contradictions().isEmpty)
  }

  /// Claims and finishes exclusive runs until all are done; each must find the others at rest.
  private static func workOff(
    _ runs: Int, by worker: UInt32, at now: Instant, _ database: TestDatabase
  ) throws -> [Int] {
    let connection = try database.connect()
    var order: [Int] = []
    while try connection.run(
      "SELECT EXISTS (SELECT FROM jobkit.run WHERE finished_at IS NULL) AS is_open"
    ).only["is_open"] {
      let claimed = try Ledger.claim(
        1, of: ["sample"], for: .sample(worker), lease: .seconds(15), at: "\(now)", on: connection)
      guard let part = claimed.first else { continue }
      let running: Int = try connection.run(
        "SELECT count(*) FROM jobkit.run WHERE state = 'running'"
      ).only[0]
      #expect(running == 1)
      order.append(part.fence.run)
      try Ledger.finish(part.claim, as: .succeeded, at: "\(now)", on: connection)
    }
    return order
  }

  @Test func `the parts of a run are worked off once each, and the run ends once`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let (runs, parts) = (40, 8)
    for _ in 1...runs { try stage.enter(parts: parts) { $0.overlap = .allow } }
    try stage.connection.run("CREATE TABLE ended (run bigint)")
    try stage.connection.run(
      script: """
        CREATE FUNCTION end_seen() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN INSERT INTO ended VALUES (NEW.id); RETURN NEW; END';
        CREATE TRIGGER end_seen AFTER UPDATE ON jobkit.run FOR EACH ROW
          WHEN (OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL)
          EXECUTE FUNCTION end_seen();
        """)
    let (database, now) = (stage.database, try stage.now)

    let workers = (0..<6).map { number in
      TestThread { try Self.claimAndFinish(by: UInt32(number), at: now, database) }
    }
    let done = try workers.flatMap { try $0.value() }

    #expect(Set(done).count == runs * parts && done.count == runs * parts)
    #expect(try stage.count("SELECT count(*) FROM ended") == runs)
    #expect(
      try stage.count("SELECT count(*) FROM jobkit.run WHERE state = 'succeeded'") == runs)
    #expect(try stage.contradictions().isEmpty)
  }

  private static func claimAndFinish(
    by worker: UInt32, at now: Instant, _ database: TestDatabase
  ) throws -> [Fence] {
    let connection = try database.connect()
    var done: [Fence] = []
    while let part = try Ledger.claim(
      1, of: ["sample"], for: .sample(worker), lease: .seconds(15), at: "\(now)", on: connection
    ).first {
      try Ledger.finish(part.claim, as: .succeeded, at: "\(now)", on: connection)
      done.append(part.fence)
    }
    return done
  }
}
