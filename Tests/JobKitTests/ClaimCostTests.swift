@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import Testing

/// What it costs to ask for work while much of it has to wait.
@Suite("The cost of a claim")
struct ClaimCostTests {
  private static let jobs: [JobName] = ["a", "b", "c", "d"]

  /// A ledger in which so many runs of four jobs wait, each of which must be alone.
  private func stage(runs: Int, ordered order: Order) throws -> Stage {
    let name = "ClaimCostTests, \(runs) runs, \(order)"
    return try Stage(at: "2026-12-31T12:00:00Z", filledAs: name) { connection, now in
      try Ledger.enter(Self.jobs, at: now, on: connection)
      try connection.run(
        """
        WITH entered AS (
          INSERT INTO jobkit.run (job, scheduled_for, trigger, state, exclusive, decided_at, decided_by)
          SELECT (\(Self.jobs)::text[])[1 + number % 4], \(now) - (\(runs) - number) * interval '1 second',
            'schedule', 'due', \(order != .overlapping), \(now), 'test'
          FROM generate_series(0, \(runs - 1)) AS number
          RETURNING id, job, scheduled_for
        )
        INSERT INTO jobkit.part (run, number, job, state, not_before)
        SELECT id, 0, job, 'due', \(order.notBefore(at: now)) FROM entered
        """)
      try connection.run("ANALYZE jobkit.run, jobkit.part")
    }
  }

  /// In which order parts say that they are due.
  enum Order: CaseIterable {
    case ofRuns, reversed, shuffled, overlapping

    /// The first run of each job, which is the one to begin, is still to come.
    case firstToCome

    fileprivate func notBefore(at now: Instant) -> Statement {
      switch self {
      case .ofRuns, .overlapping: "scheduled_for"
      case .reversed: "\(now) - id * interval '1 millisecond'"
      case .shuffled:
        "\(now) - interval '101 s' - hashint8(id)::bigint % 100000 * interval '1 millisecond'"
      case .firstToCome:
        "CASE WHEN id <= 4 THEN \(now) + interval '1 hour' ELSE scheduled_for END"
      }
    }
  }

  /// How many pages a claim looks at.
  private func pages(of claiming: Claiming, on connection: borrowing Connection) throws -> Int {
    let plan: [String] = try connection.run(
      "EXPLAIN (ANALYZE, BUFFERS, COSTS off, TIMING off, SUMMARY off) \(claiming.statement)"
    ).map { try $0[0] }
    let buffers = try #require(plan.first { $0.contains("Buffers: shared hit=") })
    let numbers = buffers.matches(of: /(?:hit|read)=(\d+)/).compactMap { Int($0.1) }
    return numbers.reduce(0, +)
  }

  private func claiming(on stage: Stage, of run: Int? = nil, by word: UInt32 = 2) -> Claiming {
    Claiming(
      most: 1, jobs: Self.jobs, slots: [:], run: run, daemon: .sample(word), lease: .seconds(15),
      now: stage.clock.reading, isSafe: false)
  }

  @Test(arguments: Order.allCases)
  func `a hundred thousand parts that are due are not looked at one by one`(order: Order) throws {
    let stage = try stage(runs: 100_000, ordered: order)
    let rounds = 1...6

    // Each claims a part, or finds none; the later ones while a run of each job goes on.
    let costs = try rounds.map { word in
      try pages(of: claiming(on: stage, by: UInt32(word)), on: stage.connection)
    }
    let begun = try stage.count("SELECT count(*) FROM jobkit.part WHERE state = 'running'")

    #expect(costs.allSatisfy { $0 < 1000 }, "\(costs)")
    #expect(begun == (order == .firstToCome ? 0 : order == .overlapping ? 6 : 4))
  }

  @Test(arguments: [1, 99_999])
  func `a run that is asked for is found among a hundred thousand`(run: Int) throws {
    let stage = try stage(runs: 100_000, ordered: .reversed)

    let cost = try pages(of: claiming(on: stage, of: run), on: stage.connection)

    #expect(cost < 1000)
  }

  @Test func `a claim with nothing else in the ledger stays as cheap as it is`() throws {
    let stage = try stage(runs: 1, ordered: .ofRuns)

    let cost = try pages(of: claiming(on: stage), on: stage.connection)

    #expect(cost < 150)
  }

  @Test func `a job with one run does not wait for the backlog of another`() throws {
    let stage = try stage(runs: 4000, ordered: .ofRuns)
    try stage.connection.run("DELETE FROM jobkit.run WHERE job <> 'a'")
    try stage.pass(.seconds(10))
    try stage.finish(try #require(try stage.claim(of: Self.jobs).first))
    try Ledger.enter(["short"], at: stage.now, on: stage.connection)
    _ = try Ledger.enter(
      Ledger.RunRequest("short", for: stage.now, parts: 1, policies: Policies(), by: "ana"),
      at: stage.now, on: stage.connection)
    var order: [String] = []

    for _ in 1...3 {
      try stage.pass(.seconds(1))
      let part = try #require(try stage.claim(of: Self.jobs + ["short"]).first)
      order.append(part.job.text)
      try stage.finish(part)
    }

    #expect(order.contains("short"), "\(order)")
  }

  @Test func `two jobs with a backlog take turns`() throws {
    let stage = try stage(runs: 400, ordered: .ofRuns)
    try stage.connection.run("DELETE FROM jobkit.run WHERE job IN ('c', 'd')")
    // All of one was due before any of the other.
    try stage.connection.run(
      "UPDATE jobkit.part SET not_before = not_before - interval '1 day' WHERE job = 'a'")
    var order = ""

    for _ in 1...8 {
      try stage.pass(.seconds(1))
      let part = try #require(try stage.claim(of: Self.jobs).first)
      order += part.job.text
      try stage.pass(.seconds(1))
      try stage.finish(part)
    }

    #expect(order == "abababab")
  }
}
