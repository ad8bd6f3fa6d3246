import JobKit
import Ledger
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

@testable import Jobs

@Suite("Reviews that are other than they were an hour ago")
struct ChangedReviewTests {
  private let stage: Stage

  init() throws {
    stage = try Stage.withPatterns(at: "2026-03-10T16:00:00Z")
  }

  @Test func `a pattern that keeps its rank is told anew in its place`() throws {
    try stage.addLearner(1, plan: "pro")
    try stage.answer(1, 1, "------", at: "2026-03-10T15:00:00Z")
    try stage.answer(1, 2, "----+", at: "2026-03-10T15:10:00Z")
    _ = try stage.run(RecommendReview())
    try stage.connection.run(
      script: """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE 'it is not in its place'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT OR DELETE ON learning.reviews
          FOR EACH ROW EXECUTE FUNCTION refuse();
        """)
    try stage.answer(1, 2, "+++++", at: "2026-03-10T16:10:00Z")

    try stage.pass(.seconds(900))
    let run = try stage.run(RecommendReview())

    #expect(run.counters["reviews_recommended"] == 1)
    #expect(
      try stage.reviews(of: 1) == ["2026-03-11 1 1 basic 8", "2026-03-11 2 2 basic 7"])
    #expect(
      try stage.count("SELECT count(*) FROM learning.reviews WHERE at = '2026-03-10T16:15:00Z'")
        == 1)
  }

  @Test(arguments: [
    (1, ["2026-03-11 1 1 basic 8 done", "2026-03-11 2 2 basic 8", "2026-03-11 3 3 basic 7"]),
    (3, ["2026-03-11 1 2 basic 8", "2026-03-11 2 1 advanced 5", "2026-03-11 3 3 basic 8 done"]),
  ])
  func `a review that is done while it is about to be changed stays, and its rank with it`(
    rank: Int, reviews: [String]
  ) throws {
    try prepareChange()
    let app = try stage.held(
      by: "SELECT FROM learning.pattern_conquest WHERE pattern_id = 1 FOR UPDATE",
      then: "UPDATE learning.reviews SET state = 'done' WHERE rank = \(rank)")

    let run = try stage.run(RecommendReview())

    try app.value()
    #expect(run.state == .succeeded)
    #expect(try stage.reviews(of: 1) == reviews)
  }

  /// Patterns 1 to 3 are recommended, and an hour later the first is the strongest and the third a little stronger.
  private func prepareChange() throws {
    try stage.addLearner(1, plan: "pro")
    for pattern in 1...2 { try stage.answer(1, pattern, "-----", at: "2026-03-10T15:00:00Z") }
    try stage.answer(1, 3, "---++", at: "2026-03-10T15:00:00Z")
    try stage.answer(1, 4, "+++++", at: "2026-03-10T15:00:00Z")
    _ = try stage.run(RecommendReview())
    try stage.answer(1, 1, String(repeating: "+", count: 50), at: "2026-03-10T16:10:00Z")
    try stage.answer(1, 3, "++", at: "2026-03-10T16:10:00Z")
    try stage.pass(.seconds(900))
  }

  @Test func `a dry run tells once what would be, also of a review that is done meanwhile`() throws
  {
    try prepareChange()
    let app = try stage.held(
      by: "SELECT FROM learning.pattern_conquest WHERE pattern_id = 1 FOR UPDATE",
      then: "UPDATE learning.reviews SET state = 'done' WHERE rank = 1")

    let report = try stage.dryRun(RecommendReview())

    try app.value()
    #expect(
      report.description.split(separator: "\n").filter { $0.contains("would be recommended") }
        == ["  learner 1: would be recommended p2 (basic), p3 (basic)"])
  }
}
