import JobKit
import Jobs
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

/// What jobs say of how many learners a run is about to touch, which is asked once for all its parts.
@Suite("Plans of the learning jobs")
struct PlanTests {
  private static let jobs: [any Job] = [
    ScheduleDailyPush(), RecommendReview(), RefreshLeaderboard(), RefreshWidgetSnapshots(),
  ]

  @Test(arguments: [(1, 100, 400...400), (4, 100, 400...400), (4, 20, 40...130)])
  func `a plan counts the learners of all parts, and of a canary only its share`(
    parts: Int, percent: Int, allowed: ClosedRange<Int>
  ) throws {
    let stage = try Stage(at: "2026-03-01T12:00:00Z", with: .learning)
    try stage.connection.run(
      script: """
        INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
        SELECT n, 'Ana', 'UTC', '2026-01-01Z', '2026-01-01Z' FROM generate_series(1, 400) AS n;
        """)

    for job in Self.jobs {
      let report = try DryRun(
        of: WorkerPool.Member(job: job, policies: job.definition.policies),
        part: PartNumber(number: 0, count: parts), percent: percent, for: stage.now, arguments: [:],
        zones: stage.zones
      ).run(on: stage.database.connect())

      #expect(report.planned.map(allowed.contains) == true, "\(job.definition.name)")
    }
  }

  @Test(arguments: [0, 1])
  func `a plan counts from where the part stands that is furthest behind, whoever asks`(
    part: Int
  ) throws {
    let stage = try Stage(at: "2026-03-01T12:00:00Z", with: .learning)
    for (id, hour) in [(1, 8), (2, 9), (3, 11)] {
      try stage.connection.run(
        """
        INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
        VALUES (\(id), 'Ana', 'UTC', '2026-01-01Z', '2026-03-01Z'::timestamptz + make_interval(hours => \(hour)::integer))
        """)
    }
    try stage.connection.run(
      """
      INSERT INTO learning.watermarks (job, parts, part, seen_until, seen_in)
      VALUES ('recommend_review', 2, 0, '2026-03-01T10:00:00Z', 1000000000),
        ('recommend_review', 2, 1, '2026-03-01T08:30:00Z', 1000000000)
      """)

    let report = try DryRun(
      of: WorkerPool.Member(job: RecommendReview(), policies: Policies()),
      part: PartNumber(number: part, count: 2), percent: 100, for: stage.now, arguments: [:],
      zones: stage.zones
    ).run(on: stage.database.connect())

    #expect(report.planned == 2)
  }
}
