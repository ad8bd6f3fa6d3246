import JobKit
import Ledger
import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@testable import Jobs

/// Whenever, wherever and however often measures and reviews are made, they come to the same rows.
@Suite("Rounds of recommend review")
struct RecommendReviewRoundTests {
  private let stage: Stage

  init() throws {
    stage = try Self.stage()
  }

  /// A stage with learners in four zones, and 40 attempts of each.
  private static func stage(learners: [Int] = Array(1...60)) throws -> Stage {
    let stage = try Stage.withPatterns(at: "2026-03-10T16:00:00Z")
    let zones = ["Asia/Seoul", "America/New_York", "Pacific/Apia", "Asia/Kathmandu"]
    for id in learners {
      try stage.addLearner(id, zone: zones[id % 4], plan: id % 3 == 0 ? "pro" : "free")
    }
    try stage.addAttempts(learners, each: 40, until: "2026-03-10T16:00:00Z", seed: 1)
    return stage
  }

  private func results(of stage: Stage) throws -> [String] {
    try stage.content(of: "pattern_conquest", "reviews", "quarantine")
  }

  @Test func `the measures are those of the formula, to the last bit`() throws {
    try stage.addAttempts(1...5, each: 900, until: "2026-03-10T16:00:00Z", seed: 2)

    _ = try stage.run(RecommendReview())

    let attempts = try NaiveMeasure.attempts(on: stage.connection)
    let rows = try stage.connection.run(
      """
      SELECT user_id, pattern_id, ewma, hint_rate, first_try_rate, conquest, week_before, attempts
      FROM learning.pattern_conquest
      """)
    #expect(rows.count == attempts.count && rows.count > 400)
    for row in rows {
      let key = NaiveMeasure.Key(user: try row[0], pattern: try row[1])
      let naive = try NaiveMeasure(of: #require(attempts[key]))
      #expect(try [row[2], row[3], row[4], row[5], row[6]] == naive.numbers)
      #expect(try row[7] == naive.count)
    }
  }

  @Test func `a second run for the same moment writes nothing`() throws {
    _ = try stage.run(RecommendReview())
    let written = try stage.versions(of: "pattern_conquest", "reviews", "quarantine")

    _ = try stage.run(RecommendReview())
    let full = try stage.run(RecommendReview(), arguments: ["full": "true"])

    #expect(try stage.versions(of: "pattern_conquest", "reviews", "quarantine") == written)
    #expect(full.counters["learners"] == 60 && full.counters["patterns_changed"] == 0)
  }

  @Test(
    arguments: [
      RecommendReview(), RecommendReview(chunk: 7), RecommendReview(mostNews: 20),
      InParts(3, of: RecommendReview(chunk: 3)),
    ] as [any Job])
  func `run by run as attempts arrive comes to what everything at once comes to`(job: any Job)
    throws
  {
    let learners = scattered(80)
    let (stage, atOnce) = (try Self.stage(learners: learners), try Self.stage(learners: learners))
    for each in [stage, atOnce] {
      try each.addAttempts(learners.prefix(2), each: 7000, until: "2026-03-10T16:00:00Z", seed: 2)
    }
    for scan in 0..<4 {
      let end = "2026-03-10T16:\(scan * 15 + 10):00Z"
      for each in [stage, atOnce] {
        try each.addAttempts(learners.prefix(40), each: 5, until: end, seed: 3 + scan)
      }
      try stage.pass(.seconds(900))
      _ = try stage.run(job)
    }
    try atOnce.pass(.seconds(3600))

    _ = try atOnce.run(RecommendReview())
    let full = try stage.run(RecommendReview(), arguments: ["full": "true"])

    #expect(try stage.content(of: "pattern_conquest") == atOnce.content(of: "pattern_conquest"))
    #expect(full.counters["patterns_changed"] == 0 && full.counters["reviews_recommended"] == 0)
  }

  @Test(arguments: ["false", "true"])
  func `a pattern at which no attempt can be any more is forgotten`(full: String) throws {
    _ = try stage.run(RecommendReview())
    let known: Statement = "SELECT count(*) FROM learning.pattern_conquest WHERE user_id = 7"
    let before = try stage.count(known)
    try stage.connection.run(
      """
      UPDATE learning.attempts SET received_at = answered_at - interval '1 day'
      WHERE user_id = 7 AND pattern_id = (SELECT pattern_id FROM learning.reviews WHERE user_id = 7 AND rank = 1)
      """)
    try stage.pass(.seconds(900))
    let next = try stage.run(RecommendReview(), arguments: ["full": full])
    let last = try stage.run(RecommendReview(), arguments: ["full": "true"])

    #expect(try stage.count(known) == before - 1)
    #expect(next.counters["patterns_changed"] == 1 && next.counters["reviews_recommended"] > 0)
    #expect(last.counters["patterns_changed"] == 0 && last.counters["reviews_recommended"] == 0)
  }

  @Test func `a pattern that is no more is not to be reviewed, though it was measured`() throws {
    _ = try stage.run(RecommendReview())
    let weakest = try stage.count(
      "SELECT pattern_id::bigint FROM learning.reviews WHERE user_id = 7 AND rank = 1")
    for table in ["attempts", "patterns"] {
      try stage.connection.run(
        "DELETE FROM learning.\(identifier: table) WHERE pattern_id = \(weakest)")
    }
    try stage.answer(7, weakest % 12 + 1, "-", at: "2026-03-10T16:10:00Z")
    try stage.pass(.seconds(900))

    _ = try stage.run(RecommendReview())

    let ranks = "SELECT count(*) FROM learning.reviews WHERE user_id = 7" as Statement
    #expect(try stage.count(ranks) > 0)
    #expect(try stage.count("\(ranks) AND pattern_id = \(weakest)") == 0)
  }

  @Test func `in parts and in small chunks it comes to the same rows`() throws {
    let stage = try Self.stage(learners: scattered(80))
    let inParts = try Self.stage(learners: scattered(80))
    let inChunks = try Self.stage(learners: scattered(80))

    _ = try stage.run(RecommendReview())
    let run = try inParts.run(InParts(3, of: RecommendReview()))
    _ = try inChunks.run(RecommendReview(chunk: 7))

    #expect(try results(of: inParts) == results(of: stage))
    #expect(try results(of: inChunks) == results(of: stage))
    #expect(run.counters["learners"] == 80, "\(run)")
  }

  /// A run that writes of the first thirty learners, and then fails.
  private func failHalfway() throws -> RunRecord {
    try stage.connection.run(
      "ALTER TABLE learning.pattern_conquest ADD CONSTRAINT broken CHECK (user_id <= 30) NOT VALID")
    let failed = try stage.run(RecommendReview(chunk: 10))
    try stage.connection.run("ALTER TABLE learning.pattern_conquest DROP CONSTRAINT broken")
    return failed
  }

  @Test func `a run that fails halfway goes on where it was, and overlooks nothing meanwhile`()
    throws
  {
    let failed = try failHalfway()
    try stage.addAttempts(1...10, each: 5, until: "2026-03-10T15:59:00Z", seed: 9)

    try stage.pass(.seconds(60))
    try stage.goOn(with: RecommendReview(chunk: 10))
    let ended = try stage.record(of: failed.id)
    try stage.pass(.seconds(840))
    let next = try stage.run(RecommendReview())
    let full = try stage.run(RecommendReview(), arguments: ["full": "true"])

    #expect(failed.state == .running || failed.state == .due)
    #expect(ended.state == .succeeded && ended.counters["learners"] == 60)
    #expect(next.counters["learners"] >= 10)
    #expect(full.counters["patterns_changed"] == 0)
  }

  @Test func `a run that fails halfway through what is new goes on where it was`() throws {
    _ = try stage.run(RecommendReview())
    try stage.addAttempts(1...60, each: 5, until: "2026-03-10T16:10:00Z", seed: 7)
    try stage.pass(.seconds(900))
    let failed = try failHalfway()
    try stage.addAttempts(1...60, each: 1, until: "2026-03-10T16:14:00Z", seed: 9)

    try stage.pass(.seconds(60))
    try stage.goOn(with: RecommendReview(chunk: 10))
    let ended = try stage.record(of: failed.id)
    try stage.pass(.seconds(840))
    _ = try stage.run(RecommendReview())
    let full = try stage.run(RecommendReview(), arguments: ["full": "true"])

    #expect(failed.state == .running || failed.state == .due)
    #expect(ended.state == .succeeded && ended.counters["learners"] == 60)
    #expect(full.counters["patterns_changed"] == 0)
  }

  @Test func `attempts that commit after their moment has passed are seen by the next run`() throws
  {
    _ = try stage.run(RecommendReview())
    let late = try stage.database.connect()
    try late.run("BEGIN")
    try late.run(
      """
      INSERT INTO learning.attempts
        (user_id, attempt_id, pattern_id, correct, hint_used, first_try, answered_at, received_at)
      SELECT 7, 77000000 + n, 9, false, false, false, '2026-03-10T16:05Z', '2026-03-10T16:06Z'
      FROM generate_series(1, 50) AS n
      """)
    try stage.pass(.seconds(900))
    let before = try stage.run(RecommendReview())

    try late.run("COMMIT")
    try stage.pass(.seconds(900))
    let after = try stage.run(RecommendReview())

    #expect(before.counters["patterns_changed"] == 0)
    #expect(after.counters["patterns_changed"] == 1)
    #expect(try stage.reviews(of: 7).first?.hasPrefix("2026-03-10 1 9 basic 8") == true)
  }

  @Test func `a canary's run leaves nothing out for the others`() throws {
    let canary = try stage.run(RecommendReview(), percent: 20)
    let whole = try stage.run(RecommendReview())

    #expect((1..<60).contains(canary.counters["learners"]))
    #expect(whole.counters["learners"] == 60)
  }

  @Test func `a run of the past that is taken up again turns nothing back`() throws {
    try stage.addAttempts(1...60, each: 5, until: "2026-03-10T17:00:00Z", seed: 5)
    try stage.pass(.seconds(3600))
    _ = try stage.run(RecommendReview())
    let written = try stage.versions(of: "pattern_conquest", "reviews")

    try stage.pass(.seconds(-3600))
    let run = try stage.run(RecommendReview(), arguments: ["full": "true"])

    #expect(run.state == .succeeded && run.counters["learners"] == 60)
    #expect(try stage.versions(of: "pattern_conquest", "reviews") == written)
  }
}
