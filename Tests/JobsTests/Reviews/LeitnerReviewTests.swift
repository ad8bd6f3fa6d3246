import JobKit
import Ledger
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

/// In Seoul it is 08:15 on the 2nd, while in UTC the 1st goes on for 45 minutes.
@Suite("When a pattern in a box is recommended")
struct LeitnerReviewTests {
  private let stage: Stage
  private let job: RecommendReview

  init() throws {
    stage = try Stage.withPatterns(at: "2026-03-01T23:15:00Z")
    try stage.addLearner(1)
    var rules = ReviewRules()
    rules.strategies = ["word": .leitner]
    job = RecommendReview(rules: rules)
  }

  @Test func `is from the date of UTC on by which a right answer counts`() throws {
    try stage.answer(1, 4, "-", at: "2026-03-01T23:00:00Z")
    _ = try stage.run(job)
    let early = try stage.reviews(of: 1)
    try stage.answer(1, 1, "+", at: "2026-03-02T00:05:00Z")
    try stage.pass(.seconds(3600))
    _ = try stage.run(job)
    let due = try stage.reviews(of: 1)
    try stage.answer(1, 4, "+", at: "2026-03-02T00:20:00Z")

    try stage.pass(.seconds(900))
    _ = try stage.run(job)

    #expect(early == [])
    #expect(due == ["2026-03-02 1 4 basic 8"])
    #expect(
      try stage.text(
        """
        SELECT concat_ws(' ', box, due_on) FROM learning.pattern_conquest WHERE pattern_id = 4
        """) == "2 2026-03-04")
  }

  @Test func `does not depend on whether a run looks at everybody`() throws {
    try stage.answer(1, 1, "-----", at: "2026-03-01T22:50:00Z")
    try stage.answer(1, 4, "-", at: "2026-03-01T23:00:00Z")
    _ = try stage.run(job)
    let before = try stage.reviews(of: 1)

    try stage.pass(.seconds(3600))
    let full = try stage.run(job, arguments: ["full": "true"])

    #expect(before == ["2026-03-02 1 1 basic 8"])
    #expect(try stage.reviews(of: 1) == before)
    #expect(full.counters["learners"] == 1 && full.counters["reviews_recommended"] == 0)
  }

  @Test func `is told as it was decided, also when another date of UTC has begun`() throws {
    try stage.answer(1, 4, "-", at: "2026-03-01T12:00:00Z")
    try stage.answer(1, 1, "+-+-+", at: "2026-03-01T22:50:00Z")
    _ = try stage.run(job)
    let written = try stage.reviews(of: 1)

    try stage.pass(.seconds(6300))
    let told = try job.explain(1, on: nil, at: stage.now, in: stage.zones, stage.connection)

    #expect(written.count == 1 && written[0].hasPrefix("2026-03-02 1 1 "))
    #expect(told.lines.contains { $0.hasPrefix("p1: recommended as review 1,") }, "\(told.lines)")
    #expect(
      told.lines.contains { $0.hasPrefix("p4: in its box until 2026-03-02;") }, "\(told.lines)")
  }

  @Test func `is at once where nobody has looked since it was due`() throws {
    try stage.answer(1, 4, "+", at: "2026-02-01T12:00:00Z")

    _ = try stage.run(job)

    #expect(try stage.reviews(of: 1) == ["2026-03-02 1 4 advanced 5"])
  }
}
