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

  @Test func `the attempts to a pattern are read newest first from the key's index alone`() throws {
    let query = Standings.query(
      Array(1...200), until: try stage.now, boxed: [], under: ReviewRules())

    let plan = try stage.plan(of: query)

    #expect(plan.contains("Index Only Scan Backward using attempts_pkey"))
    #expect(!plan.contains("Seq Scan") && !plan.contains("Sort"), "\(plan)")
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
