import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import Testing

@testable import Jobs

@Suite("Recommend review")
struct RecommendReviewTests {
  private let stage: Stage

  init() throws {
    stage = try Stage.withPatterns(at: "2026-03-10T16:00:00Z")
  }

  @Test func `the weakest patterns are recommended for the learner's own day`() throws {
    try stage.addLearner(1)
    try stage.answer(1, 1, "+++++", at: "2026-03-10T15:00:00Z")
    try stage.answer(1, 2, "-----", at: "2026-03-10T15:10:00Z")
    try stage.answer(1, 3, "++++-----", at: "2026-03-10T15:20:00Z")
    try stage.answer(1, 5, "----", at: "2026-03-10T15:30:00Z")

    let run = try stage.run(RecommendReview())

    #expect(
      try stage.reviews(of: 1) == [
        "2026-03-11 1 2 basic 8", "2026-03-11 2 3 standard 6 locked",
        "2026-03-11 3 1 advanced 5 locked",
      ])
    #expect(run.state == .succeeded)
    #expect(run.counters["patterns_changed"] == 4 && run.counters["reviews_recommended"] == 3)
  }

  @Test func `what is received after the run's moment is for the next run`() throws {
    try stage.addLearner(1)
    try stage.answer(1, 1, "-----", at: "2026-03-10T16:00:00Z")
    try stage.answer(1, 2, "-----", at: "2026-03-10T16:00:01Z")

    _ = try stage.run(RecommendReview())
    let before = try stage.count(
      "SELECT attempts::bigint FROM learning.pattern_conquest WHERE pattern_id = 2")
    try stage.pass(.seconds(900))
    _ = try stage.run(RecommendReview())

    #expect(before == 4)
    #expect(
      try stage.reviews(of: 1) == ["2026-03-11 1 1 basic 8", "2026-03-11 2 2 basic 8 locked"])
  }

  @Test func `what the app turned into done stays, and its rank is not given again`() throws {
    try stage.addLearner(1, plan: "pro")
    for pattern in 1...4 { try stage.answer(1, pattern, "-----", at: "2026-03-10T15:00:00Z") }
    _ = try stage.run(RecommendReview())
    try stage.connection.run("UPDATE learning.reviews SET state = 'done' WHERE rank = 2")
    try stage.answer(1, 1, "+++++++++++++", at: "2026-03-10T16:10:00Z")
    try stage.answer(1, 2, "++++++++++++++", at: "2026-03-10T16:10:00Z")

    try stage.pass(.seconds(900))
    _ = try stage.run(RecommendReview())

    #expect(
      try stage.reviews(of: 1) == [
        "2026-03-11 1 3 basic 8", "2026-03-11 2 2 basic 8 done", "2026-03-11 3 4 basic 8",
      ])
  }

  @Test
  func `a learner whose zone nobody knows has measures and no reviews, and is in nobody's way`()
    throws
  {
    for (id, zone) in [(1, "Asia/Seoul"), (2, "Mars/Olympus"), (3, "Europe/Berlin")] {
      try stage.addLearner(id, zone: zone)
      try stage.answer(id, 1, "-----", at: "2026-03-10T15:00:00Z")
    }

    let run = try stage.run(RecommendReview())

    #expect(try stage.reviews(of: 1) == ["2026-03-11 1 1 basic 8"])
    #expect(try stage.reviews(of: 2) == [])
    #expect(try stage.reviews(of: 3) == ["2026-03-10 1 1 basic 8"])
    #expect(try stage.count("SELECT count(*) FROM learning.pattern_conquest") == 3)
    #expect(
      try stage.text("SELECT concat_ws(' ', user_id, source, reason) FROM learning.quarantine")
        == "2 users unknown_zone")
    #expect(run.state == .succeeded && run.counters["quarantined"] == 1)
  }

  @Test func `an attempt that was answered after it was received is left out, and said so once`()
    throws
  {
    try stage.addLearner(1)
    try stage.answer(1, 1, "-----", at: "2026-03-10T15:00:00Z")
    try stage.connection.run(
      """
      UPDATE learning.attempts SET answered_at = '2031-01-01Z' WHERE attempt_id = 3
      """)

    let first = try stage.run(RecommendReview())
    let second = try stage.run(RecommendReview(), arguments: ["full": "true"])

    #expect(try stage.count("SELECT attempts::bigint FROM learning.pattern_conquest") == 4)
    #expect(try stage.reviews(of: 1) == [])
    #expect(
      try stage.text(
        "SELECT concat_ws(' ', user_id, source, row_key, reason, found_by) FROM learning.quarantine"
      )
        == "1 attempts 3 answered_after_it_was_received recommend_review")
    #expect(first.counters["quarantined"] == 1 && second.counters["quarantined"] == 0)
  }

  @Test func `a plan that is bought on the day opens what was locked, without an attempt`() throws {
    try stage.addLearner(1)
    for pattern in 1...2 { try stage.answer(1, pattern, "-----", at: "2026-03-10T15:00:00Z") }
    _ = try stage.run(RecommendReview())
    try stage.connection.run(
      "UPDATE learning.users SET plan = 'pro', changed_at = '2026-03-10T16:05:00Z'")

    try stage.pass(.seconds(900))
    _ = try stage.run(RecommendReview())

    #expect(
      try stage.reviews(of: 1) == ["2026-03-11 1 1 basic 8", "2026-03-11 2 2 basic 8"])
  }

  @Test func `patterns of a content type can be chosen by their boxes`() throws {
    try stage.addLearner(1)
    try stage.answer(1, 4, "+", at: "2026-03-07T15:00:00Z")
    try stage.answer(1, 8, "+", at: "2026-03-10T15:00:00Z")
    var rules = ReviewRules()
    rules.strategies = ["word": .leitner]

    _ = try stage.run(RecommendReview(rules: rules))

    #expect(try stage.reviews(of: 1) == ["2026-03-11 1 4 advanced 5"])
    #expect(
      try stage.text(
        """
        SELECT string_agg(concat_ws(' ', pattern_id, box, due_on), ', ' ORDER BY pattern_id)
        FROM learning.pattern_conquest
        """
      ) == "4 2 2026-03-09, 8 2 2026-03-12")
  }

  @Test func `a box is that of all answers, however many came since`() throws {
    try stage.addLearner(1)
    for day in ["01", "03", "07", "15"] {
      try stage.answer(1, 4, "+", at: "2026-01-\(day)T12:00:00Z")
    }
    for pattern in [4, 8] {
      try stage.answer(
        1, pattern, String(repeating: "+", count: 55), at: "2026-01-16T12:00:00Z")
    }
    try stage.answer(1, 12, "+-", at: "2026-01-16T12:00:00Z")
    try stage.answer(1, 12, "+", at: "2026-01-17T12:00:00Z")
    var rules = ReviewRules()
    rules.strategies = ["word": .leitner]

    _ = try stage.run(RecommendReview(rules: rules))

    #expect(
      try stage.text(
        """
        SELECT string_agg(concat_ws(' ', pattern_id, box, due_on), ', ' ORDER BY pattern_id)
        FROM learning.pattern_conquest
        """
      ) == "4 5 2026-01-31, 8 2 2026-01-18, 12 2 2026-01-19")
  }

  @Test func `a dry run tells of some learners what they would be recommended`() throws {
    try stage.addLearner(17)
    try stage.answer(17, 2, "-----", at: "2026-03-10T15:00:00Z")

    let report = try stage.dryRun(RecommendReview())

    #expect(report.planned == 1)
    #expect(
      report.description
        == """
        the run would touch 1; would succeed: looked at 1 learner \
        (learners 1, patterns_changed 1, reviews_recommended 1, quarantined 0)
          would insert 1 row in learning.pattern_conquest
          would insert 1 row in learning.review_learners
          would insert 1 row in learning.reviews
          would insert 1 row in learning.watermarks
          learner 17: would be recommended p2 (basic)
        """)
    #expect(try stage.count("SELECT count(*) FROM learning.pattern_conquest") == 0)
  }
}
