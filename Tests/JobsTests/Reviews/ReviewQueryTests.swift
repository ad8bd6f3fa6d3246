import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

@Suite("How attempts are read")
struct ReviewQueryTests {
  private let stage: Stage

  init() throws {
    stage = try Stage.withPatterns(at: "2026-03-10T16:00:00Z")
    // Until a commit is on the disk no page counts as visible to all, and no index is read alone.
    try stage.connection.run("SET synchronous_commit = on")
    try stage.connection.run(
      """
      INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
      SELECT n, 'learner', 'Asia/Seoul', '2026-01-01Z', '2026-01-01Z' FROM generate_series(1, 2000) AS n
      """)
    try stage.addAttempts(1...2000, each: 30, until: "2026-03-10T16:00:00Z", seed: 1)
    try stage.connection.run("VACUUM ANALYZE learning.attempts")
  }

  private func reader() throws -> StandingsReader {
    StandingsReader(moment: try stage.now, patterns: try patterns())
  }

  /// Whatever these learners have tried.
  private func all(_ learners: [Int]) -> TriedPatterns {
    TriedPatterns(learners: learners, patterns: nil)
  }

  private func patterns() throws -> ReviewPatterns {
    try ReviewPatterns(under: ReviewRules(), stage.connection.run(ReviewPatterns.query))
  }

  @Test func `whoever has done little is read in the order of the key's index, and nothing else`()
    throws
  {
    let plan = try stage.plan(of: reader().fromTheBeginning(all(Array(1...200))))

    #expect(plan.contains("Index Only Scan using attempts_pkey") && plan.contains("GroupAggregate"))
    #expect(!plan.contains("Seq Scan") && !plan.contains("Sort"), "\(plan)")
  }

  @Test func `of a pattern with new attempts no other is read, and of the others what is known`()
    throws
  {
    _ = try stage.run(RecommendReview())
    let tried = TriedPatterns(learners: [3, 3, 4], patterns: [2, 5, 7])
    let statements = try reader().statements(of: tried, by: [3, 4, 5])

    let rows = try statements.map { try stage.connection.run($0) }
    let plan = try stage.plan(of: reader().fromTheBeginning(tried))

    #expect(try rows[1].map { [try $0[0], try $0[1]] } == [[3, 2], [3, 5], [4, 7]])
    #expect(
      try rows[2].count
        == stage.count(
          """
          SELECT count(*) - 3 FROM learning.pattern_conquest WHERE user_id IN (3, 4, 5)
          """))
    #expect(
      plan.contains("Index Cond: ((user_id = learner.user_id) AND (pattern_id = learner.tried))"))
    #expect(!plan.contains("Seq Scan") && !plan.contains("Sort"), "\(plan)")
  }

  @Test func `of whoever has done much a pattern is read newest first from the key's index alone`()
    throws
  {
    let plan = try stage.plan(of: reader().bySteps(all(Array(1...200))))

    #expect(plan.contains("Index Only Scan Backward using attempts_pkey"))
    #expect(!plan.contains("Seq Scan") && !plan.contains("Bitmap"), "\(plan)")
  }

  @Test func `of whoever has done much only a part is read, and the latest are measured`() throws {
    try stage.addAttempts(1...1, each: 4000, until: "2026-03-10T16:00:00Z", seed: 2)

    let read = try stage.connection.run(reader().fromTheBeginning(all([1, 2])))
    let standings = try Standings.measure(
      [1, 2], as: stage.now, patterns: patterns(), on: stage.connection)

    #expect(try answers(of: 1, in: read) == 501 && answers(of: 2, in: read) < 31)
    #expect(standings.measured(of: 1).map(\.measure.attempts) == Array(repeating: 50, count: 12))
    #expect(!standings.measured(of: 2).isEmpty)
  }

  private func answers(of learner: Int, in rows: Rows) throws -> Int {
    try rows.filter { try $0[0] == learner }
      .reduce(0) { try $0 + $1[2, as: String.self].utf8.count }
  }

  @Test func `learners with new attempts are found by when those were received and written`() throws
  {
    let mark = Watermark(seenUntil: try stage.now.advanced(bySeconds: -900), seenIn: 1 << 40)

    let plan = try stage.plan(
      of: "SELECT user_id FROM learning.attempts WHERE \(mark.isNew("received_at", "written_in"))")

    #expect(plan.contains("Bitmap Index Scan on attempts_received"))
    #expect(plan.contains("Bitmap Index Scan on attempts_written"))
  }
}
