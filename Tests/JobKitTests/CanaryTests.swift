@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// Which learners a run is for, and which of its parts has whom.
@Suite("Canaries and parts")
struct CanaryTests {
  private static let learners = 100_000

  /// The learners that each part of a run is for, of so many with every fourth number: a block of neighbours is
  /// little beside a part, of as many parts as there are here.
  private func shares(
    parts: Int, percent: Int, of id: Statement = "learner"
  ) throws -> [[Int]] {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    return try (0..<parts).map { number in
      let share = try Self.share(
        of: PartNumber(number: number, count: parts), percent: percent, in: stage.database)
      return try stage.connection.run(
        """
        SELECT learner FROM (SELECT \(id) FROM generate_series(4, 4 * \(Self.learners)::bigint, 4) AS number (learner))
          AS learners (learner)
        WHERE \(share) ORDER BY learner
        """
      ).map { try $0["learner"] }
    }
  }

  private static func share(
    of part: PartNumber, percent: Int, in database: TestDatabase
  ) throws -> Statement {
    let claimed = ClaimedPart(
      fence: Fence(run: 1, part: part.number, epoch: 1), daemon: "host:1:1", job: "sample",
      scheduledFor: Instant(microseconds: 0), trigger: .schedule, parts: part.count,
      arguments: [:], percent: percent, planned: nil, isApproved: false, failures: 0,
      workerLosses: 0, lossesWithoutProgress: 0, saved: Progress())
    let context = JobContext(
      of: claimed, isDryRun: false, zones: try SampleSettings.zones.get(), clock: .database,
      stop: StopSignal(), on: try database.connect())
    return context.share(of: "learner")
  }

  /// Whether a count is near the expected one.
  ///
  /// Of ten thousand a few percent, of a thousand some more: that is how chance spreads them.
  private static func isFair(_ count: Int, of expected: Int) -> Bool {
    abs(count - expected) <= expected / (expected > 5_000 ? 20 : 8)
  }

  @Test(arguments: [(1, 5), (5, 20), (20, 99), (99, 100)])
  func `whoever is in a small canary is in every larger one`(small: Int, large: Int) throws {
    let few = try #require(try shares(parts: 1, percent: small).first)
    let many = try #require(try shares(parts: 1, percent: large).first)

    #expect(Set(few).isSubset(of: many))
    for (share, percent) in [(few, small), (many, large)] {
      let isFair = Self.isFair(share.count, of: Self.learners * percent / 100)
      #expect(isFair, "\(share.count) in \(percent) percent")
    }
  }

  @Test(arguments: [(1, 100), (2, 100), (7, 100), (16, 100), (16, 20), (4, 5)])
  func `the parts of a run have each of its learners once, and as many of them each`(
    parts: Int, percent: Int
  ) throws {
    let whole = try #require(try shares(parts: 1, percent: percent).first)

    let shares = try shares(parts: parts, percent: percent)

    #expect(shares.flatMap(\.self).sorted() == whole)
    let areFair = shares.allSatisfy { Self.isFair($0.count, of: whole.count / parts) }
    #expect(areFair, "\(shares.map(\.count))")
  }

  @Test(arguments: [
    "learner * 128", "learner * 192", "learner << 22", "- learner", "9223372036854775807 - learner",
  ])
  func `whatever ids there are, each is in one part, and all parts have as many`(id: String) throws
  {
    for parts in 2...3 {
      let shares = try shares(parts: parts, percent: 100, of: Statement(verbatim: id))

      #expect(Set(shares.flatMap(\.self)).count == Self.learners)
      #expect(shares.map(\.count).reduce(0, +) == Self.learners)
      let areFair = shares.allSatisfy { Self.isFair($0.count, of: Self.learners / parts) }
      #expect(areFair, "\(shares.map(\.count))")
    }
  }

  @Test func `neighbours, whose rows are on the same pages, are in the same part`() throws {
    let blocks = try shares(parts: 3, percent: 100).map { Set($0.map { $0 / 1024 }) }

    #expect(blocks[0].isDisjoint(with: blocks[1]) && blocks[0].isDisjoint(with: blocks[2]))
    #expect(blocks[1].isDisjoint(with: blocks[2]))
  }

  @Test func `a run keeps the share that it was decided with, whatever is set when it is retried`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    func scheduler(percent: Int) throws -> Scheduler {
      let sample = try ScheduledJob.sample { $0.overlap = .allow }
      return try stage.scheduler(
        ScheduledJob(
          name: "sample", schedule: sample.schedule, policies: sample.policies, percent: percent))
    }
    var canary = try scheduler(percent: 5)
    try stage.pass(.seconds(60))
    _ = try canary.pass(at: stage.now, on: stage.connection)
    let first = try stage.claimOne()
    try stage.finish(first, as: .failed("no"))

    var everyone = try scheduler(percent: 100)
    try stage.pass(.seconds(60))
    _ = try everyone.pass(at: stage.now, on: stage.connection)
    #expect(try Ledger.retry(1, at: stage.now, on: stage.connection))
    let claimed = try stage.claim(2).sorted { $0.fence.run < $1.fence.run }

    #expect(first.percent == 5)
    #expect(claimed.map(\.percent) == [5, 100])
  }
}
