import JobKit
import Ledger
import Postgres
import TestKit
import Testing

@testable import Jobs

/// The least ids and the first moments that there are.
@Suite("The first rows that the schema takes")
struct EarliestRowTests {
  private let stage: Stage

  init() throws {
    stage = try Stage.withPatterns(at: "2026-03-10T12:00:00Z")
    for learner in [Int.min, 1] { try stage.addLearner(learner, zone: "UTC") }
  }

  @Test(arguments: [[:], ["full": "true"]])
  func `belong to a learner whom jobs look at like any other`(arguments: [String: String]) throws {
    try stage.connection.run(
      """
      INSERT INTO learning.reward_pending
        (user_id, queue_id, idempotency_key, kind, amount, server_clock, received_at)
      SELECT n, \(Int.min), 'a', 'bonus', 5, '2026-03-10Z', '2026-03-10Z'
      FROM unnest(\([Int.min, 1])) AS n
      """)
    for learner in [Int.min, 1] { try stage.study(learner, on: "2026-03-09", "2026-03-10") }

    for job in [DetectStreakBreaks(), SettleRewards(), RefreshWidgetSnapshots()] as [any Job] {
      #expect(try stage.run(job, arguments: arguments).state == .succeeded)
      try stage.pass(.seconds(60))
    }
    try stage.answer(.min, 1, "+++++", at: "2026-03-10T12:01:00Z")
    #expect(try stage.run(RecommendReview()).state == .succeeded)
    try stage.answer(.min, 1, "++", at: "2026-03-10T12:02:00Z")
    #expect(try stage.run(RecommendReview()).state == .succeeded)

    let settled = try stage.count("SELECT count(*) FROM learning.balances WHERE xp = 5")
    let shown = try stage.count("SELECT count(*) FROM learning.widget_snapshots WHERE streak = 2")
    #expect(settled == 2 && shown == 2)
    #expect(try stage.count("SELECT count(*) FROM learning.reviews") == 1)
  }

  @Test(arguments: [1, 501])
  func `are measured, without a week before the first`(attempts: Int) throws {
    try stage.connection.run(
      """
      INSERT INTO learning.attempts
        (user_id, attempt_id, pattern_id, correct, hint_used, first_try, answered_at, received_at)
      SELECT 1, n, 1, true, false, true, '4714-11-24 00:00:00Z BC', '2026-03-10Z'
      FROM generate_series(1, \(attempts)) AS n
      """)
    try stage.answer(.min, 1, "+++++", at: "2026-03-10T11:00:00Z")

    let run = try stage.run(RecommendReview())

    #expect(run.state == .succeeded)
    let measures = try stage.text(
      """
      SELECT string_agg(concat_ws(' ', attempts, conquest, coalesce(week_before::text, '-'), trend), ', '
        ORDER BY user_id) FROM learning.pattern_conquest
      """)
    #expect(measures == "5 1 - steady, \(min(attempts, 50)) 1 - steady")
  }

  @Test(arguments: [
    ("2026-03-09", "ends_on_another_day"), ("4714-11-24 BC", nil),
    ("4714-11-26 BC", "ends_on_another_day"),
  ])
  func `may be sessions, which count or are put aside`(day: String, flaw: String?) throws {
    try stage.connection.run(
      """
      INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at, ended_at, completed,
        local_day, accuracy, first_try_rate, hint_rate, score, source, server_received_at)
      VALUES (1, 1, gen_random_uuid(), 'people', '4714-11-24 00:00Z BC', '4714-11-24 00:00Z BC', true,
        \(day)::text::date, 1, 1, 0, 10, 'offline', '2026-03-10Z')
      """)

    let run = try stage.run(DetectStreakBreaks())

    #expect(run.state == .succeeded)
    let reasons = try stage.connection.run("SELECT reason FROM learning.quarantine")
    #expect(try reasons.map { try $0[0, as: String.self] } == (flaw.map { [$0] } ?? []))
  }
}
