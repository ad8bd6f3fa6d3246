import JobKit
import LocalTime
import Postgres

/// The rewards that wait, as of a moment.
struct RewardQueue {
  let moment: Instant
  let share: Statement

  /// One place in the queue.
  struct Place: Equatable {
    let learner: Int
    let queueId: Int

    /// Whether it is before all others, the least one that a reward can have among them.
    let isBeginning: Bool

    /// The place of a reward that was read.
    init(_ row: Row) throws(PostgresError) {
      (learner, queueId, isBeginning) = (try row[0], try row[1], false)
    }

    /// Reads a cursor; without one, the place before all others.
    init(_ cursor: String?) {
      let numbers = cursor?.split(separator: " ").compactMap { Int($0) } ?? []
      learner = numbers.first ?? .min
      queueId = numbers.count > 1 ? numbers[1] : .min
      isBeginning = numbers.isEmpty
    }

    /// Which rewards come after it, as a condition on their columns.
    var precedes: Statement {
      "(user_id, queue_id) \(isBeginning ? ">=" : ">" as Statement) (\(learner), \(queueId))"
    }

    var cursor: String { "\(learner) \(queueId)" }
  }

  /// How many there are.
  func count(in context: borrowing JobContext) throws -> Int {
    try context.query(
      "SELECT count(*) FROM learning.reward_pending WHERE \(isWaiting) AND \(share)"
    ).only[0]
  }

  /// Reads the next rewards after a place, and what is known of them.
  func next(_ most: Int, after place: Place) -> Statement {
    Self.query(
      """
      SELECT *, ctid FROM learning.reward_pending
      WHERE \(isWaiting) AND \(share)
        AND \(place.precedes)
      ORDER BY user_id, queue_id LIMIT \(most)
      """, at: moment
    ).keepingPlan
  }

  /// What is known of those of a learner's rewards that wait.
  func pendingRewards(
    at queueIds: [Int], of learner: Int, on connection: borrowing Connection
  ) throws -> [PendingReward] {
    try connection.run(
      Self.query(
        """
        SELECT *, ctid FROM learning.reward_pending
        WHERE user_id = \(learner) AND queue_id = ANY (\(queueIds)) AND state = 'pending'
        """, at: moment)
    ).map(PendingReward.init)
  }

  private var isWaiting: Statement { "state = 'pending' AND received_at <= \(moment)" }

  private static func query(_ rewards: Statement, at moment: Instant) -> Statement {
    """
    SELECT reward.user_id, reward.queue_id, reward.idempotency_key, reward.kind, reward.amount,
      reward.session_id, \(clock), reward.received_at, \(isKeyTaken(at: moment)),
      session.server_received_at, session.completed,
      \(StreakStore.isStudy(at: "\(moment)::timestamptz")), reward.ctid::text
    FROM (\(rewards)) AS reward
    LEFT JOIN learning.reward_entries AS entry
      ON entry.user_id = reward.user_id AND entry.idempotency_key = reward.idempotency_key
    LEFT JOIN learning.sessions AS session
      ON session.user_id = reward.user_id AND session.session_id = reward.session_id
        AND session.server_received_at <= \(moment)
    ORDER BY reward.user_id, reward.queue_id
    """
  }

  /// The server's clock, no further off than the verdict asks: the app may send one that is at no time at all.
  ///
  /// Whatever is in the future is so by a second too, and no settings take what is older than 366 days.
  private static let clock: Statement = """
    greatest(least(reward.server_clock, reward.received_at + interval '1 second'),
      reward.received_at - interval '8808 hours')
    """

  /// An entry is joined and not asked for by `EXISTS`, of which Postgres may make a look at all entries there
  /// are, for each chunk anew.
  private static func isKeyTaken(at moment: Instant) -> Statement {
    """
    entry.user_id IS NOT NULL OR EXISTS (SELECT FROM learning.reward_pending AS other
      WHERE other.user_id = reward.user_id AND other.idempotency_key = reward.idempotency_key
        AND other.queue_id < reward.queue_id AND other.received_at <= \(moment))
    """
  }
}

extension PendingReward {
  init(_ row: Row) throws(PostgresError) {
    (learner, queueId) = (try row[0], try row[1])
    (key, kind, amount) = (try row[2], try row[3], try row[4])
    sessionId = try row[5]
    (serverClock, receivedAt) = (try row[6], try row[7])
    isKeyTaken = try row[8]
    if let receivedAt: Instant = try row[9] {
      session = Session(receivedAt: receivedAt, isCompleted: try row[10], isStudy: try row[11])
    } else {
      session = nil
    }
    place = try row[12]
  }
}
