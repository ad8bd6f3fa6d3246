internal import Config
import JobKit
public import LocalTime
public import Postgres

extension SettleRewards: LearnerExplainer {
  /// Tells what became of the learner's latest rewards, and what those that wait are waiting for.
  ///
  /// With a day it tells of those that were received on it where the learner lives now, or in UTC where nobody
  /// knows that zone.
  public func explain(
    _ learner: Int, on day: CivilDate?, at now: Instant, in zones: ZoneDatabase,
    _ connection: borrowing Connection
  ) throws -> LearnerExplanation {
    let sums = try connection.run(
      """
      SELECT coalesce(score, 0), coalesce(xp, 0),
        (SELECT count(*) FROM learning.reward_entries AS entry WHERE entry.user_id = users.user_id), zone
      FROM learning.users LEFT JOIN learning.balances USING (user_id) WHERE user_id = \(learner)
      """)
    guard let sum = sums.first else { throw UnknownLearner(learner) }
    let (score, xp): (Int, Int) = (try sum[0], try sum[1])
    let (entries, name): (Int, String) = (try sum[2], try sum[3])
    var known = KnownZones(of: zones)
    let zone = try known.zone(named: name) ?? .utc
    let span = day.map { zone.startOfDay($0)..<zone.startOfDay($0.advanced(by: 1)) }
    let rewards = try rewards(of: learner, receivedIn: span, at: now, connection)
    return LearnerExplanation(
      lines: ["score \(score) and XP \(xp), the sum of \(entries) settled rewards"]
        + rewards.map(\.sentence),
      facts: [
        "score": .integer(score), "xp": .integer(xp), "settled": .integer(entries),
        "rewards": .array(rewards.map(\.json)),
      ])
  }

  private func rewards(
    of learner: Int, receivedIn span: Range<Instant>?, at now: Instant,
    _ connection: borrowing Connection
  ) throws -> [ExplainedReward] {
    let rows = try connection.run(
      """
      SELECT queue_id, kind, amount, state, reason, settled_at, idempotency_key
      FROM learning.reward_pending
      WHERE user_id = \(learner) AND received_at <= \(now)
        AND (\(span == nil) OR received_at >= \(span?.lowerBound) AND received_at < \(span?.upperBound))
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
