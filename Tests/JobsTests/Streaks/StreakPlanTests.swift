@testable import JobKit
@testable import Jobs

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("What the statements of streaks and rewards read")
struct StreakPlanTests {
  /// Enough rows that a scan of a table would be the wrong plan.
  private func stage() throws -> Stage {
    let stage = try Stage(at: "2026-03-05T03:00:00Z", with: .learning)
    try stage.connection.run(
      script: """
        INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
        SELECT n, 'Ana', 'UTC', '2025-01-01Z', '2025-01-01Z' FROM generate_series(1, 3000) AS n;
        INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at,
          ended_at, completed, local_day, accuracy, first_try_rate, hint_rate, score, source,
          server_received_at)
        SELECT n, d, gen_random_uuid(), 'people', at, at + interval '9 minutes', true, at::date,
          1, 1, 0, 10, 'online', at + interval '10 minutes'
        FROM generate_series(1, 3000) AS n, generate_series(1, 10) AS d,
          LATERAL (SELECT '2026-02-20T12:00Z'::timestamptz + interval '1 day' * d + interval '1 second' * n)
            AS moment (at);
        INSERT INTO learning.streaks (user_id, state, length, longest, started_on, last_day, check_at,
          changed_at)
        SELECT n, 'kept', 10, 10, '2026-02-21', '2026-03-02',
          '2026-03-04T03:00Z'::timestamptz + interval '1 minute' * n, '2026-03-02T12:10Z'
        FROM generate_series(1, 3000) AS n;
        INSERT INTO learning.reward_pending (user_id, queue_id, idempotency_key, kind, amount,
          session_id, server_clock, received_at, state, settled_at)
        SELECT n, d, d, 'bonus', 1, NULL, '2026-03-01Z', '2026-03-01Z',
          CASE WHEN n > 5 THEN 'settled' ELSE 'pending' END, CASE WHEN n > 5 THEN '2026-03-01Z'::timestamptz END
        FROM generate_series(1, 3000) AS n, generate_series(1, 10) AS d;
        """)
    for table in ["users", "sessions", "streaks", "reward_pending", "reward_entries"] {
      try stage.connection.run("VACUUM (ANALYZE) learning.\(identifier: table)")
    }
    return stage
  }

  private func plan(of statement: Statement, on stage: Stage) throws -> String {
    try stage.connection.run("EXPLAIN \(statement)").map { try $0[0, as: String.self] }
      .joined(separator: "\n")
  }

  private func questions(of learners: [Int], on stage: Stage) throws -> [StreakQuestion] {
    let now = try stage.now
    return try StreakRow.seen(learners, on: stage.connection).map {
      StreakQuestion($0, reaching: .lately(newsFrom: nil), at: now)
    }
  }

  @Test func `who may have missed a day is found by the index of the next check`() throws {
    let stage = try stage()
    let mark = Watermark(seenUntil: try Instant("2026-03-02T12:00:00Z"), seenIn: 1 << 40)

    let plan = try plan(
      of: DetectStreakBreaks.learners(since: mark, asOf: Instant("2026-03-04T03:15:00Z")), on: stage
    )

    #expect(plan.contains("streaks_to_check"), "\(plan)")
    #expect(plan.contains("sessions_received"), "\(plan)")
    #expect(plan.contains("users_changed"), "\(plan)")
    #expect(
      !plan.contains("Seq Scan on sessions") && !plan.contains("Seq Scan on users"), "\(plan)")
  }

  @Test func `the studies of a batch are found by the index of completed sessions`() throws {
    let stage = try stage()
    let questions = try questions(of: Array(1...50), on: stage)

    let plan = try plan(of: StreakStore.query(questions), on: stage)

    #expect(plan.contains("completed_sessions"), "\(plan)")
    #expect(!plan.contains("Seq Scan on sessions"), "\(plan)")
  }

  @Test func `rewards that wait are found by their partial index, a key by its own`() throws {
    let stage = try stage()
    let queue = RewardQueue(moment: try Instant("2026-03-05T03:00:00Z"), share: "true")

    let next = try plan(of: queue.next(100, after: RewardQueue.Place(nil)), on: stage)

    #expect(next.contains("rewards_to_settle"), "\(next)")
    #expect(next.contains("rewards_by_key"), "\(next)")
    #expect(!next.contains("Seq Scan on reward_pending"), "\(next)")
  }

  @Test func `the rewards of a part are read from where the last chunk stopped, and no further`()
    throws
  {
    let stage = try stage()
    try stage.connection.run(
      "UPDATE learning.reward_pending SET state = 'pending', settled_at = NULL WHERE user_id > 5")
    try stage.connection.run("VACUUM (ANALYZE) learning.reward_pending")
    let queue = RewardQueue(
      moment: try Instant("2026-03-05T03:00:00Z"), share: "hashint8(user_id) % 2 = 1")

    let next = try stage.connection.transaction { connection in
      try connection.run(RewardScan.plans)
      return try plan(of: queue.next(4000, after: RewardQueue.Place(nil)), on: stage)
    }

    #expect(next.contains("Index Scan using rewards_to_settle"), "\(next)")
    for whole in ["Sort", "Bitmap", "Gather"] { #expect(!next.contains(whole), "\(next)") }
  }

  @Test func `verdicts are written where their rewards lie, though none is known to wait`()
    throws
  {
    let stage = try stage()
    let all = "UPDATE learning.reward_pending SET" as Statement
    try stage.connection.run("\(all) state = 'pending', settled_at = NULL")
    let now = try Instant("2026-03-05T03:00:00Z")
    let queue = RewardQueue(moment: now, share: "true")
    var verdicts = RewardVerdicts()
    for row in try stage.connection.run(queue.next(4000, after: RewardQueue.Place(nil))) {
      let reward = try PendingReward(row)
      verdicts.add(RewardVerdict(on: reward, at: now, by: RewardRules()), on: reward)
    }
    try stage.connection.run("\(all) state = 'settled', settled_at = received_at")
    try stage.connection.run("VACUUM (ANALYZE) learning.reward_pending")

    let written = try stage.connection.transaction { connection in
      try connection.run(RewardScan.plans)
      return try plan(of: verdicts.statement(entering: ""), on: stage)
    }

    #expect(written.contains("Tid Scan on reward_pending"), "\(written)")
  }

  @Test func `a plan that is kept since there was nothing to read does not read everything later`()
    throws
  {
    let stage = try Stage(at: "2026-03-05T03:00:00Z", with: .learning)
    // An empty table that has never been vacuumed is taken for one of ten pages.
    try stage.connection.run("VACUUM")
    let now = try stage.now
    let streaks = StreakStore.query([
      StreakQuestion(
        StreakRow(learner: 1, saved: nil, changedAt: now), reaching: .lately(newsFrom: nil),
        at: now),
      StreakQuestion(
        StreakRow(learner: 2, saved: Streak(changedAt: now), changedAt: now),
        reaching: .lately(newsFrom: nil), at: now),
    ])
    let rewards = RewardQueue(moment: now, share: "true").next(100, after: RewardQueue.Place(nil))

    for (settings, statement) in [(PlanSettings.byIndex, streaks), (RewardScan.plans, rewards)] {
      let found = try stage.connection.transaction { connection in
        try connection.run(settings)
        return try plan(of: statement, on: stage)
      }
      #expect(!found.contains("Seq Scan"), "\(found)")
    }
  }

  @Test func `many learners are found one by one, where nobody has had a token yet`() throws {
    let stage = try stage()
    let questions = try questions(of: Array(1...250), on: stage)

    let found = try stage.connection.transaction { connection in
      try connection.run(PlanSettings.byIndex)
      return try plan(of: StreakStore.query(questions), on: stage)
    }

    for whole in ["Hash", "Merge", "Materialize"] { #expect(!found.contains(whole), "\(found)") }
    for table in ["users", "brain_tokens"] {
      let asked = try Regex(
        "using \\w+ on \(table)[^\n]*\n +Index Cond: \\(user_id = learner.user_id\\)")
      #expect(found.contains(asked), "\(found)")
    }
  }
}
