import JobKit
import LocalTime
import Postgres

/// What became of the rewards of a chunk, as it is written.
struct RewardVerdicts {
  private var rewards: [PendingReward] = []
  private var states: [String] = []
  private var reasons: [String?] = []
  private var scores: [Int] = []
  private var points: [Int] = []
  private var instants: [Instant] = []
  private var quarantine = Quarantine()
  private(set) var waiting = 0

  /// Whose rewards were settled, each once and in order.
  private(set) var learners: [Int] = []

  mutating func add(_ verdict: RewardVerdict, on reward: PendingReward) {
    switch verdict {
    case .waits: waiting += 1
    case .settled(let score, let xp, let instant):
      add(reward, "settled", nil, score: score, xp: xp, at: instant)
      if learners.last != reward.learner { learners.append(reward.learner) }
    case .duplicate(let instant):
      add(reward, "duplicate", Self.keyTaken, at: instant)
    case .rejected(let reason, let instant):
      add(reward, "rejected", reason.rawValue, at: instant)
      guard reason.isQuarantined else { return }
      quarantine.put(
        reward.learner, source: "reward_pending", key: "\(reward.queueId)",
        because: reason.rawValue)
    }
  }

  /// Why a duplicate is one.
  private static let keyTaken = "key_taken"

  private mutating func add(
    _ reward: PendingReward, _ state: String, _ reason: String?, score: Int = 0, xp: Int = 0,
    at instant: Instant
  ) {
    rewards.append(reward)
    states.append(state)
    reasons.append(reason)
    scores.append(score)
    points.append(xp)
    instants.append(instant)
  }

  /// Writes the verdicts and counts them; what others have settled meanwhile is a duplicate after all.
  func save(
    by job: JobName, at moment: Instant, on connection: borrowing Connection,
    _ counters: inout Counters
  ) throws(PostgresError) {
    if waiting > 0 { counters.count("waiting_for_session", waiting) }
    guard !rewards.isEmpty else { return }
    for row in try connection.run(statement) {
      let (state, reason): (String, String?) = (try row[0], try row[1])
      counters.count(state == "rejected" ? reason ?? state : state, try row[2])
    }
    let found = try quarantine.save(by: job, at: moment, on: connection)
    if found > 0 { counters.count("quarantined", found) }
  }

  /// The key of an entry is the referee: only what it lets in is paid.
  ///
  /// What was let in is asked for by `NOT IN`, which is one look into a hash: Postgres guesses that a join
  /// would find a handful, and compares each of them with each.
  private var statement: Statement {
    """
    WITH verdict AS (
      SELECT * FROM unnest(\(rewards.map(\.learner)), \(rewards.map(\.queueId)), \(rewards.map(\.key)),
        \(rewards.map(\.kind)), \(states), \(reasons), \(scores), \(points), \(instants))
        AS verdict (user_id, queue_id, idempotency_key, kind, state, reason, score, xp, at)
    ), entered AS (
      INSERT INTO learning.reward_entries (user_id, idempotency_key, queue_id, kind, score, xp, at)
      SELECT user_id, idempotency_key, queue_id, kind, score, xp, at FROM verdict
      WHERE state = 'settled' ORDER BY user_id, queue_id
      ON CONFLICT DO NOTHING RETURNING user_id, queue_id, score, xp
    ), paid AS (
      INSERT INTO learning.balances AS balance (user_id, score, xp)
      SELECT user_id, sum(score), sum(xp) FROM entered GROUP BY user_id ORDER BY user_id
      ON CONFLICT (user_id)
      DO UPDATE SET score = balance.score + excluded.score, xp = balance.xp + excluded.xp
    ), decided AS MATERIALIZED (
      SELECT user_id, queue_id, at, state, reason,
        state = 'settled' AND (user_id, queue_id) NOT IN (SELECT user_id, queue_id FROM entered) AS is_taken
      FROM verdict
    ), written AS (
      UPDATE learning.reward_pending AS reward
      SET state = CASE WHEN is_taken THEN 'duplicate' ELSE decided.state END,
        reason = CASE WHEN is_taken THEN \(Self.keyTaken) ELSE decided.reason END, settled_at = decided.at
      FROM decided WHERE decided.user_id = reward.user_id AND decided.queue_id = reward.queue_id
      RETURNING reward.state, reward.reason
    )
    SELECT state, reason, count(*) FROM written GROUP BY state, reason ORDER BY state, reason
    """
  }
}
