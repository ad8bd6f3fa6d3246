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

  /// Writes the verdicts on those that nobody else has settled meanwhile, and counts them; whose key was
  /// taken meanwhile is a duplicate after all.
  func save(
    by job: JobName, at moment: Instant, on connection: borrowing Connection,
    _ counters: inout Counters
  ) throws {
    if waiting > 0 { counters.count("waiting_for_session", waiting) }
    guard !rewards.isEmpty else { return }
    var unpaid = 0
    for row in try write(on: connection) {
      let (state, reason): (String, String?) = (try row[0], try row[1])
      let (count, paid): (Int, Int) = (try row[2], try row[3])
      if state == "settled" { unpaid = count - paid }
      let settled = state == "settled" ? paid : count
      guard settled > 0 else { continue }
      counters.count(state, because: state == "rejected" ? reason : nil, settled)
    }
    if unpaid > 0 {
      try connection.run(unpaidAreDuplicates)
      counters.count("duplicate", unpaid)
    }
    let found = try quarantine.save(by: job, at: moment, on: connection)
    if found > 0 { counters.count("quarantined", found) }
  }

  /// Enters as if no key were taken meanwhile, and looks for those that are only when Postgres says so: to
  /// look at each takes a tenth longer.
  private func write(on connection: borrowing Connection) throws -> Rows {
    do {
      return try connection.savepoint { try $0.run(keepingPlanOf: statement(entering: "")) }
    } catch PostgresError.constraint {
      return try connection.run(statement(entering: "ON CONFLICT DO NOTHING"))
    }
  }

  /// The row that waits no more keeps a reward from being settled twice, and the key of an entry is the
  /// referee between two: only what both let through is paid.
  ///
  /// The update comes first: it waits for whoever else settles the same reward, and then looks again. Rows
  /// are written where they were read: whose row lies elsewhere by now, as somebody else has written it, is
  /// left to the next run, which looks at it anew.
  func statement(entering carefully: Statement) -> Statement {
    """
    WITH written AS (
      UPDATE learning.reward_pending AS reward
      SET state = verdict.state, reason = verdict.reason, settled_at = verdict.at
      FROM unnest(\(rewards.map(\.place))::text[]::tid[], \(rewards.map(\.learner)),
        \(rewards.map(\.queueId)), \(states), \(reasons), \(scores), \(points), \(instants))
        AS verdict (place, user_id, queue_id, state, reason, score, xp, at)
      WHERE reward.ctid = verdict.place AND \(Self.isThatOne)
      RETURNING reward.user_id, reward.idempotency_key, reward.queue_id, reward.kind, verdict.score,
        verdict.xp, verdict.at, verdict.state, verdict.reason
    ), entered AS (
      INSERT INTO learning.reward_entries (user_id, idempotency_key, queue_id, kind, score, xp, at)
      SELECT user_id, idempotency_key, queue_id, kind, score, xp, at FROM written
      WHERE state = 'settled'
      \(carefully) RETURNING user_id, score, xp
    ), paid AS (
      INSERT INTO learning.balances AS balance (user_id, score, xp)
      SELECT user_id, sum(score), sum(xp) FROM entered GROUP BY user_id ORDER BY user_id
      ON CONFLICT (user_id)
      DO UPDATE SET score = balance.score + excluded.score, xp = balance.xp + excluded.xp
    )
    SELECT state, reason, count(*), (SELECT count(*) FROM entered)
    FROM written GROUP BY state, reason ORDER BY state, reason
    """
  }

  /// Whether what lies there is the reward that was read, and still waits, in words that tell Postgres nothing.
  ///
  /// It knows of hardly any that waits, as none waits for long. When those of a day have piled up it would look
  /// for all of them first, and compare each with each verdict.
  private static let isThatOne: Statement = """
    CASE WHEN reward.user_id = verdict.user_id AND reward.queue_id = verdict.queue_id
      AND reward.state = 'pending' THEN true ELSE false END
    """

  private var unpaidAreDuplicates: Statement {
    """
    UPDATE learning.reward_pending AS reward SET state = 'duplicate', reason = \(Self.keyTaken)
    FROM unnest(\(rewards.map(\.learner)), \(rewards.map(\.queueId))) AS verdict (user_id, queue_id)
    WHERE verdict.user_id = reward.user_id AND verdict.queue_id = reward.queue_id
      AND reward.state = 'settled' AND NOT EXISTS (
        SELECT FROM learning.reward_entries AS entry WHERE entry.user_id = reward.user_id
          AND entry.idempotency_key = reward.idempotency_key AND entry.queue_id = reward.queue_id)
    """
  }
}
