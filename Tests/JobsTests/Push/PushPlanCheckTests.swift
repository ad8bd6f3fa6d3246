import JobKit
import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@testable import Jobs

/// Each statement of the planner is held to the index that it was written for.
@Suite("What the push planner's statements read")
struct PushPlanCheckTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T11:50:00Z", with: .learning)
    try stage.connection.run(
      script: """
        INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
        SELECT n, 'learner', 'Asia/Seoul', '2026-01-01Z', '2026-01-01Z' FROM generate_series(1, 4000) n;
        INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at)
        SELECT n, 1, 'apns', 't', '2026-01-01Z' FROM generate_series(1, 4000) n;
        INSERT INTO learning.push_agenda
        SELECT n, '2026-03-01Z'::timestamptz + n * interval '20 seconds', '2026-03-01Z'
        FROM generate_series(1, 4000) n;
        INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at, ended_at,
          completed, local_day, accuracy, first_try_rate, hint_rate, score, source, server_received_at)
        SELECT n % 4000 + 1, n, gen_random_uuid(), 'people', moment, moment, true, moment::date, 1, 1, 0,
          10, 'online', moment
        FROM generate_series(1, 60000) n, LATERAL (SELECT '2026-01-01Z'::timestamptz
          + n * interval '1 minute' AS moment) AS m;
        """)
    for table in ["users", "devices", "push_agenda", "sessions", "notifications"] {
      try vacuum(table)
    }
  }

  /// Until every page is known to be visible to all: somebody's connection that begins may be in the way.
  private func vacuum(_ table: String) throws {
    try eventually {
      try stage.connection.run("VACUUM ANALYZE learning.\(identifier: table)")
      return try stage.connection.run(
        """
        SELECT relallvisible = relpages FROM pg_class
        WHERE oid = (\("learning.\(table)")::text)::regclass
        """
      ).only[0]
    }
  }

  private func plan(of statement: Statement) throws -> String {
    try stage.connection.run("EXPLAIN \(statement)").map { try $0[0, as: String.self] }
      .joined(separator: "\n")
  }

  @Test func `who is to be looked at is found by what is due and what is new, never by a scan`()
    throws
  {
    let mark = Watermark(seenUntil: try Instant("2026-02-28T11:55:00Z"), seenIn: 1 << 40)

    let plan = try plan(
      of: PushLearners.query(until: Instant("2026-03-01T00:05:00Z"), isNew: mark.isNew))

    #expect(!plan.contains("Seq Scan"), "\(plan)")
    for index in [
      "push_agenda_due", "users_changed", "devices_registered", "sessions_received",
      "sessions_written",
    ] {
      #expect(plan.contains(index), "\(index) in \(plan)")
    }
  }

  @Test func `learners who follow on each other are read in one stretch of each table`() throws {
    let reader = PushFactsReader(
      moment: try Instant("2026-02-11T11:55:00Z"), rules: PushRules(), mark: nil)

    let plan = try plan(of: reader.learners(Array(1001...1200)))

    for table in ["push_agenda", "devices"] {
      #expect(plan.contains("\(table)_pkey"), "\(table) in \(plan)")
    }
    #expect(
      plan.contains("((user_id >= '1001'::bigint) AND (user_id <= '1200'::bigint))"), "\(plan)")
    #expect(!plan.contains("Seq Scan on sessions"), "\(plan)")
  }

  @Test func `what is known of learners is read by their ids, and studies from the index alone`()
    throws
  {
    let reader = PushFactsReader(
      moment: try Instant("2026-02-11T11:55:00Z"), rules: PushRules(), mark: nil)

    let plan = try plan(of: reader.learners(stride(from: 1, to: 4000, by: 400).map { $0 }))

    #expect(plan.contains("Index Only Scan using completed_sessions"), "\(plan)")
    #expect(!plan.contains("Seq Scan on sessions"), "\(plan)")
    #expect(!plan.contains("Seq Scan on users"), "\(plan)")
    #expect(!plan.contains("Seq Scan on devices"), "\(plan)")
  }
}
