import JobKit
import LocalTime
import Postgres

/// What learners have scored, as of an instant.
struct Scores {
  let asOf: Instant

  /// The week of boards; of the weeks before it no scores are added up.
  let week: CalendarWeek

  init(asOf: Instant) {
    self.asOf = asOf
    week = CalendarWeek(containing: Zone.utc.localDay(of: asOf))
  }
}

extension Scores {
  /// The scores of these learners by period and category: each study counts in its week and in all, for its
  /// category and overall.
  ///
  /// A learner's studies are first added up by week and category, and those sums to all four. Sums of sums are
  /// numerics, which are whole numbers again before anything is computed with them: that is slow otherwise.
  func counted(of ids: [Int]) -> Statement {
    """
    WITH part AS MATERIALIZED (\(weeks(of: ids)))
    SELECT user_id, period, category, display_name, score, reached_at,
      floor(accuracy::double precision / sessions / \(Self.one) * 1000000 + 0.5) / 1000000 AS accuracy
    FROM (
      SELECT user_id, period, category, max(reached_at) AS reached_at, sum(score)::bigint AS score,
        sum(accuracy)::bigint AS accuracy, sum(sessions)::bigint AS sessions
      FROM (\(Self.everyBoard)) AS board
      GROUP BY user_id, period, category
    ) AS total
    JOIN (SELECT user_id, display_name FROM learning.users
      WHERE user_id = ANY(\(ids)) AND status = 'active') AS learner USING (user_id)
    WHERE score > 0
    """
  }

  /// What learners have scored by week and category; before the week of boards, in no week.
  ///
  /// Accuracies are added up as whole numbers, whose sum does not depend on their order as that of floats
  /// does. The last weeks that four digits can name are left out: so is a day that a phone has made up.
  private func weeks(of ids: [Int]) -> Statement {
    """
    SELECT user_id, category, week, sum(score) AS score, count(*) AS sessions,
      sum((accuracy * \(Self.one))::bigint)::bigint AS accuracy,
      max(ended_at) FILTER (WHERE score > 0) AS reached_at
    FROM learning.sessions CROSS JOIN LATERAL (
      SELECT CASE WHEN local_day >= \(week.monday) AND local_day < '9999-12-01'
        THEN to_char(local_day, 'IYYY-"W"IW') END) AS week (week)
    WHERE user_id = ANY(\(ids)) AND completed AND \(Study.canBe("sessions"))
      AND server_received_at <= \(asOf)
    GROUP BY user_id, category, week
    """
  }

  /// The sums on each board that they count on; who studies what is called overall counts there once.
  private static let everyBoard: Statement = """
    SELECT user_id, 'all' AS period, 'overall' AS category, score, accuracy, sessions, reached_at FROM part
    UNION ALL
    SELECT user_id, 'all', category, score, accuracy, sessions, reached_at FROM part
    WHERE category <> 'overall'
    UNION ALL
    SELECT user_id, week, 'overall', score, accuracy, sessions, reached_at FROM part
    WHERE week IS NOT NULL
    UNION ALL
    SELECT user_id, week, category, score, accuracy, sessions, reached_at FROM part
    WHERE week IS NOT NULL AND category <> 'overall'
    """

  /// What stands for an accuracy of 1, a power of two: floats from 1 down to 0.00002 lose nothing by it.
  private static let one: Statement = "1099511627776::double precision"

  /// Puts sessions of these learners aside that cannot be; returns how many nobody knew of.
  func quarantine(
    _ ids: [Int], by job: JobName, on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    try connection.run(
      """
      INSERT INTO learning.quarantine (user_id, source, row_key, reason, found_at, found_by)
      SELECT user_id, 'sessions', session_id::text, \(Study.flaw(of: "sessions")), \(asOf), \(job)
      FROM learning.sessions
      WHERE user_id = ANY(\(ids)) AND server_received_at <= \(asOf)
        AND NOT \(Study.canBe("sessions"))
      ON CONFLICT (user_id, source, row_key) DO NOTHING
      """
    ).affected
  }
}
