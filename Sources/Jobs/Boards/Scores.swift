import JobKit
import LocalTime
import Postgres

/// What learners have scored, as of an instant.
struct Scores {
  let asOf: Instant

  /// The week of boards; of the weeks before it no scores are kept.
  let week: CalendarWeek

  init(asOf: Instant) {
    self.asOf = asOf
    week = CalendarWeek(containing: Zone.utc.localDay(of: asOf))
  }
}

extension Scores {
  /// Adds up anew what these learners have scored; returns how many of their scores changed.
  func refresh(_ ids: [Int], on connection: borrowing Connection) throws(PostgresError) -> Int {
    let row = try connection.run(statement(for: ids)).only
    return try row[0]
  }

  func statement(for ids: [Int]) -> Statement {
    """
    WITH counted AS (\(counted(of: ids))),
    gone AS (
      DELETE FROM learning.scores AS known
      WHERE user_id = ANY(\(ids)) AND NOT EXISTS (
        SELECT FROM counted WHERE counted.user_id = known.user_id
          AND counted.period = known.period AND counted.category = known.category)
      RETURNING 1
    ), changed AS (
      INSERT INTO learning.scores AS known (user_id, period, category, score, accuracy, reached_at)
      SELECT counted.* FROM counted
      LEFT JOIN learning.scores AS known USING (user_id, period, category)
      WHERE (counted.score, counted.accuracy, counted.reached_at)
        IS DISTINCT FROM (known.score, known.accuracy, known.reached_at)
      ON CONFLICT (user_id, period, category) DO UPDATE
      SET (score, accuracy, reached_at) = (excluded.score, excluded.accuracy, excluded.reached_at)
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM changed)
    """
  }

  /// The scores by period and category: each study counts in its week and in all, for its category and
  /// overall.
  ///
  /// The mean is one of decimals, whose sum does not depend on their order as that of floats does. The
  /// last weeks that four digits can name are left out: so is a day that a phone has made up.
  private func counted(of ids: [Int]) -> Statement {
    """
    SELECT user_id, period, board.category, sum(score)::bigint AS score,
      round(avg(accuracy::double precision::numeric), 6)::double precision AS accuracy,
      max(ended_at) FILTER (WHERE score > 0) AS reached_at
    FROM learning.sessions
    CROSS JOIN LATERAL (VALUES ('all'), (
      CASE WHEN local_day >= \(week.monday) AND local_day < '9999-12-01'
      THEN to_char(local_day, 'IYYY-"W"IW') END)) AS period (period)
    CROSS JOIN LATERAL (VALUES ('overall'), (nullif(sessions.category, 'overall'))) AS board (category)
    WHERE user_id = ANY(\(ids)) AND completed AND \(Study.canBe("sessions"))
      AND server_received_at <= \(asOf)
      AND period IS NOT NULL AND board.category IS NOT NULL
    GROUP BY user_id, period, board.category HAVING sum(score) > 0
    """
  }

  /// Removes scores of weeks that are over, so many at most; returns how many.
  func forget(_ most: Int, on connection: borrowing Connection) throws(PostgresError) -> Int {
    try connection.run(
      """
      DELETE FROM learning.scores WHERE (user_id, period, category) IN (
        SELECT user_id, period, category FROM learning.scores
        WHERE period < \("\(week)") AND period <> 'all' LIMIT \(most))
      """
    ).affected
  }

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
