import Jobs
import Postgres
import TestKit

/// What a session of the tests of boards and widgets is, unless it is said.
struct SampleSession {
  var category = "people"
  var score = 10
  var accuracy = 0.5
  var sentences = 3
  var minutes = 10
  var receivedAt: String?
}

/// Learners who study and score, for the tests of boards and widgets.
extension Stage {
  /// A completed session that ends at `end`, which is on `day` for the learner.
  func score(
    _ user: Int, _ number: Int, at end: String, on day: String, _ session: SampleSession = .init()
  ) throws {
    try connection.run(
      """
      INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at,
        ended_at, completed, local_day, sentences, accuracy, first_try_rate, hint_rate, score, source,
        server_received_at)
      SELECT \(user), \(number), gen_random_uuid(), \(session.category),
        at - make_interval(mins => \(session.minutes)::integer), at, true, \(day)::text::date,
        \(session.sentences), \(session.accuracy), 0.5, 0, \(session.score), 'online',
        \(session.receivedAt ?? end)::text::timestamptz
      FROM (SELECT \(end)::text::timestamptz) AS m (at)
      """)
  }

  /// Random sessions of learners, the same for the same seed, in the 20 days before `end`: few different
  /// scores, so that many are equal.
  func addSessions(
    _ learners: some Sequence<Int>, each: Int, until end: String, seed: Int
  ) throws {
    try connection.run(
      """
      INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at,
        ended_at, completed, local_day, sentences, accuracy, first_try_rate, hint_rate, score, source,
        server_received_at)
      SELECT user_id, \(seed) * 1000 + n, gen_random_uuid(), (ARRAY['people', 'music', 'countries'])[1 + hash % 3],
        at - interval '10 minutes', at + CASE WHEN hash % 40 = 0 THEN interval '1 day' ELSE '0' END,
        hash / 3 % 10 > 0, (at AT TIME ZONE 'UTC')::date, 3, (hash / 30 % 4)::real / 3, 0.5, 0,
        (hash / 120 % 3) * 5, 'online', at
      FROM unnest(\(Array(learners))) AS user_id, generate_series(1, \(each)) AS n,
        LATERAL (SELECT hashint8extended(user_id * 10007 + n, \(seed)) & 9223372036854775807) AS h (hash),
        LATERAL (SELECT \(end)::text::timestamptz - make_interval(mins => (hash / 7 % 28800)::integer)) AS m (at)
      """)
  }

  /// The current entries of a board, as `place rank user score`.
  func board(_ board: String, _ category: String = "overall") throws -> [String] {
    try connection.run(
      """
      SELECT concat_ws(' ', place, rank, user_id, score) FROM learning.leaderboard_top
      WHERE board = \(board) AND category = \(category) ORDER BY place
      """
    ).map { try $0[0] }
  }
}
