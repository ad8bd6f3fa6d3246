import Postgres

/// What the world of odd rows is made of and looked at with.
enum OddWorldSQL {
  static func users(_ ids: [Int]) -> Statement {
    """
    INSERT INTO learning.users (user_id, display_name, zone, locale, plan, push_opt_in, auto_repair, created_at,
      changed_at)
    SELECT n, 'learner ' || n,
      (ARRAY['Asia/Seoul', 'UTC', 'Europe/Zurich', 'America/Sao_Paulo'])[1 + n / 40 % 4],
      (ARRAY['ko', 'en'])[1 + n / 80 % 2], (ARRAY['free', 'pro'])[1 + n / 120 % 2], true, n / 160 % 2 = 0,
      '2026-01-01Z', '2026-01-01Z'
    FROM unnest(\(ids)) AS n
    """
  }

  /// A learner who has moved lately.
  static func mover(_ id: Int) -> Statement {
    """
    INSERT INTO learning.users (user_id, display_name, zone, push_opt_in, auto_repair, created_at, changed_at,
      zone_before, moved_at)
    VALUES (\(id), '{name}', 'Pacific/Kiritimati', true, true, '0001-01-01Z', '2026-03-03 12:00Z',
      'Pacific/Pago_Pago', '2026-03-03 06:00Z')
    """
  }

  static func lives(_ ids: [Int]) -> [Statement] {
    [
      """
      INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at)
      SELECT n, 1, 'apns', 'token', '2026-01-01Z' FROM unnest(\(ids)) AS n
      """,
      """
      INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at, ended_at,
        completed, local_day, sentences, accuracy, first_try_rate, hint_rate, score, source, server_received_at)
      SELECT n, day, gen_random_uuid(), (ARRAY['people', 'music'])[1 + day % 2], at - interval '9 minutes', at, true,
        at::date, 3, 0.75, 1, 0, 10 + (n / 40 & 7), 'online', at + interval '1 minute'
      FROM unnest(\(ids)) AS n, generate_series(1, 9) AS day,
        LATERAL (SELECT '2026-02-21 10:50Z'::timestamptz + make_interval(days => day) AS at) AS study
      WHERE (n / 40 & 3) <> 1 OR day <> 8
      """,
      """
      INSERT INTO learning.attempts (user_id, attempt_id, pattern_id, correct, hint_used, first_try, answered_at,
        received_at)
      SELECT n, m, 1 + m % 4, m % 3 > 0, m % 5 = 0, m % 2 = 0, at, at
      FROM unnest(\(ids)) AS n, generate_series(1, 24) AS m,
        LATERAL (SELECT '2026-02-20 10:00Z'::timestamptz + make_interval(hours => 11 * m) AS at) AS answer
      """,
      """
      INSERT INTO learning.reward_pending (user_id, queue_id, idempotency_key, kind, amount, session_id, server_clock,
        received_at)
      SELECT n, day, 'reward ' || day, 'session_completed', 5, day, at, at
      FROM unnest(\(ids)) AS n, generate_series(7, 9) AS day,
        LATERAL (SELECT '2026-02-21 11:00Z'::timestamptz + make_interval(days => day) AS at) AS study
      """,
    ]
  }

  /// The row that a row of the app refers to besides its learner.
  static func parent(in table: String, of learner: String) -> Statement {
    guard table == "learning.streaks" else { return "SELECT 1" }
    return """
      INSERT INTO learning.streaks (user_id, state, length, longest, changed_at)
      VALUES (\(Statement(verbatim: learner)), 'none', 0, 0, '2026-03-01Z') ON CONFLICT DO NOTHING
      """
  }

  /// All tables of learners: of marks it depends on all who is among them.
  static let tables: Statement = """
    SELECT DISTINCT table_name::text FROM information_schema.columns JOIN information_schema.tables
      USING (table_schema, table_name)
    WHERE table_schema = 'learning' AND column_name = 'user_id' AND table_type = 'BASE TABLE'
      AND table_name <> 'leaderboard_marks' ORDER BY 1
    """

  /// Rows of these learners without what no two worlds have in common.
  static func rows(of ids: [Int], in table: String) -> Statement {
    """
    SELECT (to_jsonb(t) - ARRAY['written_in', 'idempotency_key'])::text AS row FROM learning.\(identifier: table) AS t
    WHERE user_id = ANY(\(ids)) ORDER BY 1
    """
  }

  /// In which order these learners are on each board.
  static func boards(of ids: [Int]) -> Statement {
    """
    SELECT concat_ws(' ', board, category, string_agg(concat_ws(':', user_id, score), ' ' ORDER BY place))
    FROM learning.leaderboards CROSS JOIN LATERAL learning.leaderboard_places(board, category, 1, 1000000) AS entry
    WHERE is_current AND user_id = ANY(\(ids)) GROUP BY board, category ORDER BY 1
    """
  }
}
