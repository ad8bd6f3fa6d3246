@testable import Jobs

import JobKit
import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// How Postgres comes to the rows that the push jobs ask for, among very many others.
@Suite("Plans of the push jobs")
struct PushPlanTests {
  private let scene: PushScene

  init() throws {
    scene = try PushScene()
    try scene.stage.connection.run(
      script: """
        INSERT INTO learning.users (user_id, display_name, zone, push_opt_in, created_at, changed_at)
        SELECT n, 'Ana', 'Asia/Seoul', true, '2026-01-01Z', '2026-01-01Z' FROM generate_series(1, 20000) n;
        INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at)
        SELECT n, 1, 'apns', 'token', '2026-01-01Z' FROM generate_series(1, 20000) n;
        INSERT INTO learning.notifications (user_id, local_day, state, kind, zone, window_from, window_to,
          due_at, template, planned_at, sent_at)
        SELECT n, day, CASE WHEN day = '2026-03-01' THEN 'planned' ELSE 'opened' END, 'reminder', 'Asia/Seoul',
          day, day + interval '2 days', day + n * interval '40 seconds', 'basic', day,
          CASE WHEN day < '2026-03-01' THEN day END
        FROM generate_series(1, 2000) n,
          generate_series('2026-02-10Z'::timestamptz, '2026-03-01Z', interval '1 day') AS day;
        INSERT INTO learning.notification_events (user_id, local_day, event, at)
        SELECT user_id, local_day, 'push_opened', sent_at FROM learning.notifications WHERE state = 'opened';
        INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at, ended_at,
          completed, local_day, accuracy, first_try_rate, hint_rate, score, source, server_received_at)
        SELECT n, day, gen_random_uuid(), 'people', '2026-03-01Z'::timestamptz - day * interval '1 day',
          '2026-03-01Z'::timestamptz - day * interval '1 day', true, '2026-03-01'::date - day, 1, 1, 0, 10,
          'online', '2026-03-01Z' FROM generate_series(1, 2000) n, generate_series(1, 10) AS day;
        ANALYZE;
        """)
  }

  private func plan(of statement: Statement) throws -> String {
    let rows = try scene.stage.connection.run("EXPLAIN \(statement)")
    return try rows.map { try $0[0, as: String.self] }.joined(separator: "\n")
  }

  private var now: Instant { get throws { try Instant("2026-03-01T00:10:00Z") } }

  @Test func `pushes that are due are found by their minute`() throws {
    let terms = PushClaim.Terms(
      owner: PushOwner(nil), share: "true", moment: try now, rules: DeliveryRules(),
      messages: .builtIn, zones: scene.stage.zones)

    let plan = try plan(of: PushClaim.picking(by: terms, at: now))

    #expect(plan.contains("Index Scan using notifications_due"))
  }

  @Test func `what was decided of a push is written where its row lies, in a table that is new`()
    throws
  {
    try scene.run("TRUNCATE learning.notifications CASCADE")
    let claim = DeliveryDecisionRows().statement(for: PushOwner(nil), at: try now)

    let plan = try scene.stage.connection.transaction { connection in
      try connection.run(PushClaim.settings(leaving: true))
      return try connection.run("EXPLAIN \(claim)").map { try $0[0, as: String.self] }
    }

    #expect(plan.contains { $0.contains("Tid Scan on notifications") }, "\(plan)")
  }

  @Test func `what there is to know of a learner is found by the learner`() throws {
    let day = try CivilDate("2026-03-01")
    let pushes = try (1...50).map { learner in
      PlannedPush(
        learner: learner, localDay: day, kind: "reminder", windowTo: try now, template: .basic,
        streakDays: 0, tries: 0, dayZone: "Asia/Seoul", place: "(0,\(learner))")
    }

    let plan = try plan(of: DuePush.query(pushes[...], at: now))

    #expect(!plan.contains("Seq Scan on notifications") && !plan.contains("Seq Scan on sessions"))
    #expect(plan.contains("completed_sessions") && plan.contains("devices_pkey"))
  }

  @Test(arguments: ["true", "hashint8(push.user_id) % 2 = 1"] as [Statement])
  func `what is not closed is read on from where the last chunk stopped, in order`(
    share: Statement
  ) throws {
    try scene.run(
      "UPDATE learning.notifications SET state = 'sent', sent_at = due_at WHERE local_day >= '2026-02-20'"
    )
    try scene.run("VACUUM ANALYZE learning.notifications")
    let calendars = try ZoneTable(of: scene.stage.zones, at: now)

    let found = try scene.stage.connection.transaction { connection in
      try connection.run(PlanSettings.inOrder)
      return try plan(
        of: UnansweredPushes.query(
          100, after: "2026-02-21 700", of: share, at: now, in: calendars))
    }

    #expect(found.contains("Index Scan using notifications_unanswered"), "\(found)")
    #expect(found.contains("AND (ROW(local_day, user_id) > ROW("), "\(found)")
    #expect(!found.contains("Sort"), "\(found)")
  }

  @Test func `taps that are new are found by when they happened or were written`() throws {
    let mark = Watermark(seenUntil: try Instant("2026-02-28T23:00:00Z"), seenIn: 1 << 40)

    let plan = try plan(
      of: """
        SELECT FROM learning.notification_events AS tap
        WHERE event = 'push_opened' AND \(mark.isNew("tap.at", "tap.written_in"))
        """)

    #expect(plan.contains("pushes_opened") && plan.contains("events_written"))
  }
}
