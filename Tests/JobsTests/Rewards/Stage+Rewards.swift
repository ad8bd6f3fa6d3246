@testable import JobKit

import LocalTime
import Postgres
import TestKit

/// Rewards as the app writes them.
extension Stage {
  func reward(
    _ learner: Int, _ queueId: Int, key: String, kind: String = "session_completed",
    amount: Int = 40, session: Int? = nil, clock: String? = nil,
    receivedAt received: String = "2026-03-05T11:59:00Z"
  ) throws {
    try connection.run(
      """
      INSERT INTO learning.reward_pending
        (user_id, queue_id, idempotency_key, kind, amount, session_id, server_clock, received_at)
      VALUES (\(learner), \(queueId), \(key), \(kind), \(amount), \(session),
        \(try Instant(clock ?? received)), \(try Instant(received)))
      """)
  }

  /// What became of a learner's rewards: `1 settled, 2 duplicate key_taken`.
  func rewards(of learner: Int) throws -> String {
    try text(
      """
      SELECT string_agg(concat_ws(' ', queue_id, state, reason), ', ' ORDER BY queue_id)
      FROM learning.reward_pending WHERE user_id = \(learner)
      """)
  }

  /// A learner's score and XP, and what the entries say that they are.
  func balance(of learner: Int) throws -> String {
    try text(
      """
      SELECT concat_ws(' ', score, xp, (SELECT concat_ws(' ', sum(score), sum(xp))
        FROM learning.reward_entries AS entry WHERE entry.user_id = balances.user_id))
      FROM learning.balances WHERE user_id = \(learner)
      """)
  }

  func rewardDigest() throws -> String {
    try text(
      """
      SELECT concat_ws(' ',
        (SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM learning.reward_pending AS t),
        (SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM learning.reward_entries AS t),
        (SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM learning.balances AS t))
      """)
  }
}
