@testable import JobKit
@testable import Ledger
@testable import Jobs

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("Settle rewards")
struct SettleRewardsTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-05T12:00:00Z", with: .learning)
    for learner in 1...3 { try stage.learner(learner) }
  }

  private func settle(at instant: String = "2026-03-05T12:00:00Z") throws -> RunRecord {
    try stage.turn(to: instant)
    let run = try stage.run(SettleRewards())
    #expect(run.state == .succeeded, "\(run.reason ?? "")")
    return run
  }

  @Test func `each reward is settled once, and the balance is the sum of the entries`() throws {
    try stage.study(1, "2026-03-05", receivedAt: "2026-03-05T11:58:00Z")
    try stage.reward(1, 1, key: "a", session: 1)
    try stage.reward(1, 2, key: "b", kind: "bonus", amount: 5)

    let first = try settle()
    let digest = try stage.rewardDigest()
    let second = try settle(at: "2026-03-05T12:01:00Z")

    #expect(first.counters["settled"] == 2 && second.counters["settled"] == 0)
    #expect(try stage.balance(of: 1) == "40 45 40 45")
    #expect(try stage.rewardDigest() == digest)
  }

  @Test
  func `settling rewards brings the streaks up to date of whom there is news, and of no others`()
    throws
  {
    for learner in 1...2 {
      try stage.study(learner, "2026-03-04", receivedAt: "2026-03-04T11:58:00Z")
    }
    _ = try stage.run(DetectStreakBreaks())
    // Whoever else works on this server may have kept the run from passing the transactions before it.
    try stage.connection.run(
      "UPDATE learning.watermarks SET seen_in = pg_current_xact_id()::text::bigint")
    try stage.connection.run("UPDATE learning.streaks SET check_at = '2030-01-01Z'")
    try stage.study(1, "2026-03-05", receivedAt: "2026-03-05T12:00:30Z")
    for learner in 1...2 { try stage.reward(learner, 1, key: "a", kind: "bonus") }

    let run = try settle(at: "2026-03-05T12:01:00Z")

    #expect(run.counters["settled"] == 2 && run.counters["extended"] == 1)
    #expect(
      try stage.text(
        """
        SELECT string_agg(concat_ws(' ', user_id, length, check_at = '2030-01-01Z'), ', ' ORDER BY user_id)
        FROM learning.streaks
        """) == "1 2 f, 2 1 t")
  }

  @Test func `a key that comes again is a duplicate, in the same run and in a later one`() throws {
    try stage.reward(1, 1, key: "a", kind: "bonus")
    try stage.reward(1, 2, key: "a", kind: "bonus")
    try stage.reward(2, 1, key: "a", kind: "bonus")
    _ = try settle()
    try stage.reward(1, 3, key: "a", kind: "bonus")

    _ = try settle(at: "2026-03-05T12:01:00Z")

    #expect(try stage.rewards(of: 1) == "1 settled, 2 duplicate key_taken, 3 duplicate key_taken")
    #expect(try stage.rewards(of: 2) == "1 settled")
    #expect(try stage.balance(of: 1) == "0 40 0 40")
  }

  /// The next chunk is read before this one is written.
  @Test func `a key that comes again in the chunk behind is a duplicate`() throws {
    for queueId in 1...4 { try stage.reward(1, queueId, key: "a", kind: "bonus") }

    let run = try stage.run(SettleRewards(chunk: ChunkSize(always: 1)))

    #expect(run.counters["settled"] == 1 && run.counters["duplicate"] == 3)
    #expect(try stage.balance(of: 1) == "0 40 0 40")
  }

  @Test
  func `a rejected reward says why, is quarantined when it cannot be, and keeps none waiting`()
    throws
  {
    try stage.study(1, "2026-03-05", receivedAt: "2026-03-05T11:58:00Z")
    try stage.connection.run(
      "UPDATE learning.sessions SET started_at = ended_at + interval '1 second'")
    try stage.reward(1, 1, key: "a", kind: "gold")
    try stage.reward(1, 2, key: "b", amount: -1)
    try stage.reward(1, 3, key: "c", session: 1)
    try stage.reward(1, 4, key: "d", kind: "bonus", clock: "2026-03-05T11:59:01Z")
    try stage.reward(1, 5, key: "e", kind: "bonus", clock: "2026-02-26T11:58:59Z")
    try stage.reward(1, 6, key: "f", kind: "bonus")

    let run = try settle()

    #expect(
      try stage.rewards(of: 1)
        == "1 rejected unknown_kind, 2 rejected negative_amount, 3 rejected no_such_session,"
        + " 4 rejected clock_in_the_future, 5 rejected clock_too_old, 6 settled")
    #expect(
      try stage.text(
        """
        SELECT string_agg(concat_ws(' ', source, row_key, reason), ', ' ORDER BY row_key)
        FROM learning.quarantine
        """)
        == "reward_pending 1 unknown_kind, reward_pending 2 negative_amount,"
        + " reward_pending 3 no_such_session")
    #expect(run.counters["quarantined"] == 3 && run.counters["rejected/clock_too_old"] == 1)
  }

  @Test(arguments: [
    ("infinity", "clock_in_the_future"), ("294270-01-01Z", "clock_in_the_future"),
    ("-infinity", "clock_too_old"),
  ])
  func `a clock that is at no time is rejected like any other that is off, and keeps none waiting`(
    clock: String, reason: String
  ) throws {
    for learner in 1...2 { try stage.reward(learner, 1, key: "a", kind: "bonus") }
    try stage.connection.run(
      """
      UPDATE learning.reward_pending SET server_clock = \(clock)::text::timestamptz
      WHERE user_id = 1
      """)
    let before = try SettleRewards().explain(
      1, on: nil, at: stage.now, in: stage.zones, stage.connection)

    _ = try settle()

    #expect(try stage.rewards(of: 1) == "1 rejected \(reason)")
    #expect(try stage.rewards(of: 2) == "1 settled")
    #expect(before.lines.contains { $0.contains("rejected, \(reason)") })
  }

  @Test func `a reward waits for its session, lets others pass, and is settled when it comes`()
    throws
  {
    try stage.reward(1, 1, key: "a", session: 1)
    try stage.reward(1, 2, key: "b", kind: "bonus")
    let waiting = try settle()
    let before = try stage.rewards(of: 1)
    try stage.study(1, "2026-03-05", receivedAt: "2026-03-05T13:00:00Z")

    let settled = try settle(at: "2026-03-05T13:00:00Z")

    #expect(waiting.counters["waiting_for_session"] == 1)
    #expect(before == "1 pending, 2 settled")
    #expect(settled.counters["settled"] == 1)
    #expect(try stage.rewards(of: 1) == "1 settled, 2 settled")
  }

  @Test func `a reward waits for a session that is not completed yet, and is settled when it is`()
    throws
  {
    try stage.study(1, "2026-03-05", receivedAt: "2026-03-05T11:58:00Z")
    try stage.connection.run("UPDATE learning.sessions SET completed = false")
    try stage.reward(1, 1, key: "a", session: 1)
    let waiting = try settle()
    let before = try stage.rewards(of: 1)
    try stage.connection.run("UPDATE learning.sessions SET completed = true")

    let settled = try settle(at: "2026-03-05T12:06:00Z")

    #expect(waiting.counters["waiting_for_session"] == 1 && waiting.counters["quarantined"] == 0)
    #expect(before == "1 pending")
    #expect(settled.counters["settled"] == 1 && settled.counters["extended"] == 1)
    #expect(try stage.rewards(of: 1) == "1 settled")
  }

  @Test func `settling brings the streak of the learner up to date`() throws {
    try stage.study(1, on: "2026-03-03", "2026-03-04")
    try stage.study(1, "2026-03-05", receivedAt: "2026-03-05T11:58:00Z")
    try stage.reward(1, 1, key: "a", session: 3)

    let run = try settle()

    #expect(try stage.streak(of: 1) == "kept 3 2026-03-03 2026-03-05")
    // Nobody has looked before: what happened more than a day ago is history.
    #expect(run.counters["extended"] + run.counters["replayed"] == 3)
    #expect(run.counters["replayed"] > 0 && run.counters["titles"] == 1)
  }

  @Test func `what was received after the run's moment waits for the next`() throws {
    try stage.reward(1, 1, key: "a", kind: "bonus", receivedAt: "2026-03-05T12:00:01Z")

    let early = try settle()
    let due = try settle(at: "2026-03-05T12:01:00Z")

    #expect(early.counters["settled"] == 0 && due.counters["settled"] == 1)
  }

  @Test func `more rewards than fit a chunk are settled chunk by chunk, in order`() throws {
    try stage.connection.run(
      """
      INSERT INTO learning.reward_pending
        (user_id, queue_id, idempotency_key, kind, amount, server_clock, received_at)
      SELECT 1 + n % 3, n, n % 2500, 'bonus', 1, '2026-03-05T11:00Z', '2026-03-05T11:00Z'
      FROM generate_series(1, 5000) AS n
      """)

    let run = try stage.run(SettleRewards(chunk: ChunkSize(always: 2000)))

    #expect(run.counters["settled"] == 5000)
    #expect(try stage.count("SELECT sum(xp)::bigint FROM learning.balances") == 5000)
  }

  @Test func `a run that was killed between two chunks goes on, and pays nothing twice`() throws {
    try stage.connection.run(
      """
      INSERT INTO learning.reward_pending
        (user_id, queue_id, idempotency_key, kind, amount, server_clock, received_at)
      SELECT 1 + n % 3, n, n, 'bonus', 1, '2026-03-05T11:00Z', '2026-03-05T11:00Z'
      FROM generate_series(1, 5000) AS n
      """)
    // Whoever settles the 4001st fails once.
    try stage.connection.run(
      script: """
        CREATE SEQUENCE learning.tries;
        GRANT USAGE ON SEQUENCE learning.tries TO PUBLIC;
        CREATE FUNCTION learning.stumble() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('learning.tries') = 4001 THEN RAISE 'stumbled'; END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER stumble BEFORE INSERT ON learning.reward_entries
          FOR EACH ROW EXECUTE FUNCTION learning.stumble();
        """)
    let stumbled = try stage.run(SettleRewards(chunk: ChunkSize(always: 2000)))
    let paid = try stage.count("SELECT sum(xp)::bigint FROM learning.balances")

    try stage.pass(.seconds(60))
    try stage.goOn(with: SettleRewards(chunk: ChunkSize(always: 2000)))

    #expect(stumbled.state == .due || stumbled.state == .running, "\(stumbled.state)")
    #expect(paid == 4000)
    #expect(try stage.record(of: stumbled.id).counters["settled"] == 5000)
    #expect(try stage.count("SELECT sum(xp)::bigint FROM learning.balances") == 5000)
  }
}
