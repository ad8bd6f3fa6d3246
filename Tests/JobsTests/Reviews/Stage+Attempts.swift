import JobKit
import Jobs
import Postgres
import TestKit

/// Learners who answer, for the tests of reviews.
extension Stage {
  /// A stage with patterns 1 to 12, of which every fourth is a word.
  static func withPatterns(at text: String) throws -> Stage {
    let stage = try Stage(at: text, with: .learning)
    try stage.connection.run(
      """
      INSERT INTO learning.patterns (pattern_id, code, content_type, name_ko, name_en)
      SELECT n, 'p' || n, CASE WHEN n % 4 = 0 THEN 'word' ELSE 'grammar' END, 'ko', 'en'
      FROM generate_series(1, 12) AS n
      """)
    return stage
  }

  func addLearner(_ id: Int, zone: String = "Asia/Seoul", plan: String = "free") throws {
    try connection.run(
      """
      INSERT INTO learning.users (user_id, display_name, zone, plan, created_at, changed_at)
      VALUES (\(id), 'learner ' || \(id), \(zone), \(plan), '2026-01-01Z', '2026-01-01Z')
      """)
  }

  /// Attempts a minute apart, `+` right and `-` wrong, the last answered and received at that instant.
  func answer(_ user: Int, _ pattern: Int, _ words: String, at last: String) throws {
    let right = words.map { $0 == "+" }
    try connection.run(
      """
      INSERT INTO learning.attempts
        (user_id, attempt_id, pattern_id, correct, hint_used, first_try, answered_at, received_at)
      SELECT \(user), (SELECT count(*) FROM learning.attempts) + n, \(pattern), is_right, false, true,
        at, at
      FROM unnest(\(right)) WITH ORDINALITY AS word (is_right, n), LATERAL
        (SELECT \(last)::text::timestamptz - make_interval(mins => (\(right.count) - n)::integer)) AS m (at)
      """)
  }

  /// Random attempts of learners, the same for the same seed, answered in the 30 days before `end` and
  /// received up to six hours later; one in fifty before it was answered.
  func addAttempts(
    _ learners: some Sequence<Int>, each: Int, until end: String, seed: Int
  ) throws {
    try connection.run(
      """
      INSERT INTO learning.attempts
        (user_id, attempt_id, pattern_id, correct, hint_used, first_try, answered_at, received_at)
      SELECT user_id, \(seed) * 1000000 + n, 1 + hash % 12, hash / 12 % 10 < 7, hash / 120 % 10 < 2,
        hash / 1200 % 10 < 8, at, CASE WHEN hash % 50 = 0 THEN at - interval '1 minute'
          ELSE least(at + make_interval(secs => hash / 13 % 21600), \(end)::text::timestamptz) END
      FROM unnest(\(Array(learners))) AS user_id, generate_series(1, \(each)) AS n,
        LATERAL (SELECT hashint8extended(user_id * 10007 + n, \(seed)) & 9223372036854775807) AS h (hash),
        LATERAL (SELECT \(end)::text::timestamptz - make_interval(mins => (hash / 7 % 43200)::integer)) AS m (at)
      """)
  }

  /// A learner's reviews of all days as `day rank pattern difficulty sentences`, with a word for locked
  /// and for done ones.
  func reviews(of user: Int) throws -> [String] {
    try connection.run(
      """
      SELECT concat_ws(' ', local_day, rank, pattern_id, difficulty, sentences,
        CASE WHEN locked THEN 'locked' END, nullif(state, 'open'))
      FROM learning.reviews WHERE user_id = \(user) ORDER BY local_day, rank
      """
    ).map { try $0[0] }
  }
}
