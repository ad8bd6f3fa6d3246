import JobKit
import Ledger
import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@testable import Jobs

/// Whenever, wherever and however often widgets are looked at, they show the same.
@Suite("Rounds of refresh widget snapshots")
struct WidgetRoundTests {
  private let stage: Stage

  init() throws {
    stage = try Self.stage()
  }

  private static func stage(learners: [Int] = Array(1...50)) throws -> Stage {
    let stage = try Stage(at: "2026-03-10T22:00:00Z", with: .learning)
    let zones = ["Asia/Seoul", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia"]
    for id in learners { try stage.addLearner(id, zone: zones[id % 4]) }
    try stage.addSessions(learners, each: 20, until: "2026-03-10T21:00:00Z", seed: 1)
    return stage
  }

  /// What widgets show, without when they began to.
  private func shown(on stage: Stage) throws -> String {
    try stage.text(
      """
      SELECT string_agg(concat_ws(' ', user_id, local_day, sentences_remaining, streak, tokens), ','
        ORDER BY user_id) FROM learning.widget_snapshots
      """)
  }

  @Test func `a second run for the same moment writes nothing`() throws {
    _ = try stage.run(RefreshWidgetSnapshots())
    let written = try stage.versions(of: "widget_snapshots")

    _ = try stage.run(RefreshWidgetSnapshots())
    _ = try stage.run(RefreshWidgetSnapshots(), arguments: ["full": "true"])

    #expect(try stage.versions(of: "widget_snapshots") == written)
  }

  @Test func `run by run through a day comes to what one look at its end comes to`() throws {
    let atOnce = try Self.stage()
    for scan in 1...24 {
      let end = try stage.now.advanced(bySeconds: 3500)
      for each in [stage, atOnce] {
        try each.addSessions(1...10, each: 1, until: "\(end)", seed: 1 + scan)
        try each.pass(.seconds(3600))
      }
      _ = try stage.run(RefreshWidgetSnapshots())
    }

    _ = try atOnce.run(RefreshWidgetSnapshots())

    #expect(try shown(on: stage) == shown(on: atOnce))
  }

  @Test func `in parts and in small chunks it comes to the same rows`() throws {
    let stage = try Self.stage(learners: scattered(80))
    let inParts = try Self.stage(learners: scattered(80))
    let inChunks = try Self.stage(learners: scattered(80))

    _ = try stage.run(RefreshWidgetSnapshots())
    _ = try inParts.run(InParts(4, of: RefreshWidgetSnapshots()))
    _ = try inChunks.run(RefreshWidgetSnapshots(chunk: ChunkSize(always: 3)))

    let rows = try stage.content(of: "widget_snapshots")
    #expect(try inParts.content(of: "widget_snapshots") == rows)
    #expect(try inChunks.content(of: "widget_snapshots") == rows)
  }

  @Test func `a run that fails halfway goes on where it was`() throws {
    let whole = try Self.stage()
    try stage.connection.run(
      "ALTER TABLE learning.widget_snapshots ADD CONSTRAINT broken CHECK (user_id <= 20)")

    let failed = try stage.run(RefreshWidgetSnapshots(chunk: ChunkSize(always: 10)))
    try stage.connection.run("ALTER TABLE learning.widget_snapshots DROP CONSTRAINT broken")
    try stage.pass(.seconds(60))
    try stage.goOn(with: RefreshWidgetSnapshots(chunk: ChunkSize(always: 10)))
    _ = try whole.run(RefreshWidgetSnapshots())

    #expect(failed.counters["learners"] == 20)
    #expect(try stage.record(of: failed.id).state == .succeeded)
    #expect(try stage.content(of: "widget_snapshots") == whole.content(of: "widget_snapshots"))
  }

  @Test func `sessions that commit after their moment has passed are seen by the next run`() throws
  {
    _ = try stage.run(RefreshWidgetSnapshots())
    let late = try stage.database.connect()
    try late.run("BEGIN")
    try late.run(
      """
      INSERT INTO learning.sessions SELECT 4, 99, gen_random_uuid(), 'people', at, at, true,
        '2026-03-11', 12, 1, 1, 0, 10, 'online', at
      FROM (SELECT '2026-03-10T22:03:00Z'::timestamptz) AS m (at)
      """)
    try stage.pass(.seconds(300))
    _ = try stage.run(RefreshWidgetSnapshots())

    try late.run("COMMIT")
    try stage.pass(.seconds(300))
    let run = try stage.run(RefreshWidgetSnapshots())

    #expect(run.counters["snapshots_changed"] == 1)
    #expect(
      try stage.count(
        "SELECT sentences_remaining::bigint FROM learning.widget_snapshots WHERE user_id = 4") == 0)
  }

  /// From the first learner to the last a plan would come by years of each.
  private func readsFewStudies(_ plan: String) -> Bool {
    plan.contains("completed_sessions")
      && plan.split(separator: "\n").contains {
        $0.contains("Index Cond: ((user_id = ANY") && $0.contains("ended_at >")
      }
  }

  @Test func `today's sessions are read from the learner's latest, and learners by their zone`()
    throws
  {
    try stage.connection.run(
      """
      INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
      SELECT n, 'learner', (\(stage.zones.names)::text[])[1 + n % 400], '2026-01-01Z', '2026-01-01Z'
      FROM generate_series(51, 6000) AS n
      """)
    try stage.addSessions(1...3000, each: 10, until: "2026-03-10T21:30:00Z", seed: 2)
    _ = try stage.run(RefreshWidgetSnapshots())
    try stage.connection.run("ANALYZE")
    let now = try stage.now
    let snapshots = WidgetSnapshots(
      asOf: now, zones: try ZoneTable(of: stage.zones, at: now), rules: WidgetRules())
    // Midnight in Kathmandu: where a few learners live, they are not searched for among all.
    let begun = try DaysBegun(
      from: Instant("2026-03-10T18:10:00Z"), to: Instant("2026-03-10T18:20:00Z"), in: stage.zones)

    let finding = try stage.plan(of: begun.learners)
    try stage.connection.run("BEGIN")
    try stage.connection.run(WidgetSnapshots.plans)
    let renewing = try stage.plan(
      of: snapshots.renewing(Array(1...20), by: "refresh_widget_snapshots"))
    // An index gives the lines in the order of the ids, in which others lock them.
    let forgetting = try stage.plan(of: WidgetSnapshots.forgetting(Array(1...2000)))

    #expect(finding.contains("users_by_zone"), "\(finding)")
    #expect(readsFewStudies(renewing), "\(renewing)")
    #expect(!renewing.contains("Seq Scan") && !renewing.contains("Nested Loop"), "\(renewing)")
    #expect(forgetting.contains("Index Scan using widget_changes_pkey"), "\(forgetting)")
  }
}
