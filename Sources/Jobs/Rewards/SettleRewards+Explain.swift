import JobKit
public import LocalTime
public import Postgres

extension SettleRewards: LearnerExplainer {
  /// Tells what became of the learner's latest rewards, and what those that wait are waiting for.
  ///
  /// With a day it tells of those that were received on it, by the calendar of UTC: the queue knows no other.
  public func explain(
    _ learner: Int, on day: CivilDate?, at now: Instant, in zones: ZoneDatabase,
    _ connection: borrowing Connection
  ) throws -> LearnerExplanation {
    let sums = try connection.run(
      """
      SELECT coalesce(score, 0), coalesce(xp, 0),
        (SELECT count(*) FROM learning.reward_entries AS entry WHERE entry.user_id = users.user_id)
      FROM learning.users LEFT JOIN learning.balances USING (user_id) WHERE user_id = \(learner)
      """)
    guard let sum = sums.first else { throw UnknownLearner(learner) }
    let (score, xp): (Int, Int) = (try sum[0], try sum[1])
    let entries: Int = try sum[2]
    let rewards = try rewards(of: learner, on: day, at: now, connection)
    return LearnerExplanation(
      lines: ["score \(score) and XP \(xp), the sum of \(entries) settled rewards"]
        + rewards.map(\.sentence),
      facts: [
        "score": .integer(score), "xp": .integer(xp), "settled": .integer(entries),
        "rewards": .array(rewards.map(\.json)),
      ])
  }

  private func rewards(
    of learner: Int, on day: CivilDate?, at now: Instant, _ connection: borrowing Connection
  ) throws -> [ExplainedReward] {
    let rows = try connection.run(
      """
      SELECT queue_id, kind, amount, state, reason, settled_at, idempotency_key
      FROM learning.reward_pending
      WHERE user_id = \(learner) AND received_at <= \(now)
        AND ((received_at AT TIME ZONE 'UTC')::date = \(day) OR \(day) IS NULL)
      ORDER BY state <> 'pending', queue_id DESC LIMIT 10
      """)
    let queue = RewardQueue(moment: now, share: "true")
    let pending = try queue.look(at: try rows.map { try $0[0] }, of: learner, on: connection)
    let verdicts = Dictionary(
      uniqueKeysWithValues: pending.map {
        ($0.queueId, RewardVerdict(on: $0, at: now, by: rules))
      })
    return try rows.map { try ExplainedReward($0, verdicts: verdicts) }
  }
}
