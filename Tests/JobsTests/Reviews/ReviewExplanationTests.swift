import Config
import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

@Suite("Why a learner is recommended reviews")
struct ReviewExplanationTests {
  private let stage: Stage

  init() throws {
    stage = try Stage.withPatterns(at: "2026-03-10T16:00:00Z")
    try stage.addLearner(1)
  }

  private func explain(
    _ learner: Int = 1, on day: String? = nil, rules: ReviewRules = ReviewRules()
  ) throws -> LearnerExplanation {
    try RecommendReview(rules: rules).explain(
      learner, on: day.map { try CivilDate($0) }, at: stage.now, in: stage.zones, stage.connection)
  }

  @Test func `each pattern is told with its measures, and why it is reviewed or not`() throws {
    try stage.answer(1, 1, "+++++", at: "2026-03-01T12:00:00Z")
    try stage.answer(1, 1, "--", at: "2026-03-10T15:00:00Z")
    try stage.answer(1, 2, "-----", at: "2026-03-10T15:00:00Z")
    try stage.answer(1, 3, "---", at: "2026-03-10T15:00:00Z")
    try stage.answer(1, 5, "-----", at: "2026-03-10T15:00:00Z")
    try stage.answer(1, 6, "+++++", at: "2026-03-10T15:00:00Z")

    _ = try stage.run(RecommendReview())
    let told = try explain()

    #expect(
      told.lines == [
        "reviews of 2026-03-11, on the free plan, the weakest pattern first:",
        "p2: recommended as review 1, basic, 8 sentences; conquest 0.0 % over 5 attempts (right 0.0 %,"
          + " with a hint 0.0 %, at the first try 100.0 %), with nothing a week before",
        "p3: still collecting: it takes 5 attempts; conquest 0.0 % over 3 attempts (right 0.0 %,"
          + " with a hint 0.0 %, at the first try 100.0 %), with nothing a week before",
        "p5: recommended as review 2, basic, 8 sentences, locked on the free plan; conquest 0.0 % over 5"
          + " attempts (right 0.0 %, with a hint 0.0 %, at the first try 100.0 %), with nothing a week"
          + " before",
        "p1: recommended as review 3, advanced, 5 sentences, locked on the free plan; conquest 81.0 % over"
          + " 7 attempts (right 81.0 %, with a hint 0.0 %, at the first try 100.0 %), falling from 100.0 %"
          + " a week before",
        "p6: not among the 3 weakest; conquest 100.0 % over 5 attempts (right 100.0 %, with a hint 0.0 %,"
          + " at the first try 100.0 %), with nothing a week before",
      ])
    #expect(told.facts.compact.contains(#""pattern":"p1","decision":"recommended","rank":3"#))
  }

  @Test func `what it tells of today is what the job recommends`() throws {
    try stage.addAttempts(1...1, each: 90, until: "2026-03-10T16:00:00Z", seed: 4)
    _ = try stage.run(RecommendReview())
    try stage.connection.run("UPDATE learning.reviews SET state = 'done' WHERE rank = 1")

    let lines = try explain().lines

    let reviews = try stage.reviews(of: 1)
    #expect(reviews.count == 3)
    for review in reviews {
      let words = review.split(separator: " ")
      let expected =
        words.contains("done")
        ? "p\(words[2]): was review \(words[1]), and is done for this day"
        : "p\(words[2]): recommended as review \(words[1]), \(words[3]), \(words[4]) sentences"
      #expect(lines.contains { $0.hasPrefix(expected) })
    }
  }

  @Test func `what no run has written is told as what would be, and when`() throws {
    try stage.answer(1, 2, "-----", at: "2026-03-10T15:00:00Z")
    let before = try explain()
    _ = try stage.run(RecommendReview())
    let written = try explain()
    try stage.pass(.seconds(86_400))

    let nextDay = try explain()

    let would = "p2: would be, by the run after an attempt arrives, review 1, basic, 8 sentences; "
    #expect(before.lines[1].hasPrefix(would) && nextDay.lines[1].hasPrefix(would))
    #expect(written.lines[1].hasPrefix("p2: recommended as review 1, basic, 8 sentences; "))
    #expect(nextDay.facts.compact.contains(#""decision":"would_be_recommended""#))
  }

  @Test func `a pattern in a box says until when`() throws {
    try stage.answer(1, 4, "+", at: "2026-03-10T15:00:00Z")
    var rules = ReviewRules()
    rules.strategies = ["word": .leitner]

    let line = try #require(try explain(rules: rules).lines.last)

    #expect(line.hasPrefix("p4: in its box until 2026-03-12; conquest 100.0 % over 1 attempts"))
    #expect(line.hasSuffix("; box 2, due on 2026-03-12"))
  }

  @Test func `another day is told as it was written`() throws {
    try stage.answer(1, 2, "-----", at: "2026-03-10T15:00:00Z")
    _ = try stage.run(RecommendReview())
    try stage.pass(.seconds(86_400))

    #expect(
      try explain(on: "2026-03-11").lines == [
        "reviews of 2026-03-11, as they were written:", "p2: review 1, basic, 8 sentences, open",
      ])
    #expect(
      try explain(on: "2026-03-10").lines
        == ["there are no reviews of 2026-03-10"])
  }

  @Test func `a learner without a known zone, without attempts, or at all is told so`() throws {
    try stage.addLearner(2, zone: "Mars/Olympus")

    #expect(
      try explain().lines == ["no attempt yet: there is nothing to review on 2026-03-11"])
    #expect(
      try explain(2).lines
        == ["nobody knows the learner's zone: there are no reviews until it is corrected"])
    let error = #expect(throws: UnknownLearner.self) { try explain(3) }
    #expect(error?.description == "there is no learner 3 in learning.users")
  }
}
