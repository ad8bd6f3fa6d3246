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
  /// Adds up anew what these learners have scored, and writes what has changed to the next version of boards;
  /// returns how many of their scores changed.
  func refresh(_ ids: [Int], on connection: borrowing Connection) throws(PostgresError) -> Int {
    let version = try BoardVersion.next(on: connection)
    let row = try connection.run(statement(for: ids, in: version)).only
    return try row[0]
  }

  /// An entry that readers may see ends with the version in which another takes its place; one that no version
  /// shows yet is changed where it stands.
  func statement(for ids: [Int], in version: BoardVersion) -> Statement {
    """
    WITH counted AS (
      SELECT counted.*, display_name FROM (\(counted(of: ids))) AS counted
      JOIN learning.users USING (user_id) WHERE status = 'active'
    ), ended AS (
      UPDATE learning.leaderboard_entries AS known SET until = \(version.number)
      WHERE user_id = ANY(\(ids)) AND until = \(BoardVersion.open) AND NOT EXISTS (
        SELECT FROM counted WHERE \(Self.isSame) AND (known.since = \(version.number) OR \(Self.isEqual)))
      RETURNING user_id, period, category
    ), changed AS (
      INSERT INTO learning.leaderboard_entries AS known
        (user_id, period, category, since, until, display_name, score, accuracy, reached_at)
      SELECT user_id, period, category, \(version.number), \(BoardVersion.open), display_name, score,
        accuracy, reached_at
      FROM counted WHERE NOT EXISTS (
        SELECT FROM learning.leaderboard_entries AS known
        WHERE \(Self.isSame) AND until = \(BoardVersion.open) AND \(Self.isEqual))
      ON CONFLICT (user_id, period, category, since) DO UPDATE
      SET (until, display_name, score, accuracy, reached_at) = (excluded.until, excluded.display_name,
        excluded.score, excluded.accuracy, excluded.reached_at)
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM changed)
      + (SELECT count(*) FROM ended AS known WHERE NOT EXISTS (SELECT FROM counted WHERE \(Self.isSame)))
    """
  }

  private static let isSame: Statement = """
    (counted.user_id = known.user_id AND counted.period = known.period
      AND counted.category = known.category)
    """

  private static let isEqual: Statement = """
    ((counted.display_name, counted.score, counted.accuracy, counted.reached_at)
      = (known.display_name, known.score, known.accuracy, known.reached_at))
    """

  /// The scores by period and category: each study counts in its week and in all, for its category and
  /// overall.
  ///
  /// A learner's studies are first added up by week and category, and those sums to all four.
  private func counted(of ids: [Int]) -> Statement {
    """
    SELECT user_id, period, board.category, sum(score)::bigint AS score,
      \(Self.sixDigits(of: "sum(accuracy)::double precision / sum(sessions)::double precision")) AS accuracy,
      max(reached_at) AS reached_at
    FROM (\(weeks(of: ids))) AS part
    CROSS JOIN LATERAL (VALUES ('all'), (week)) AS period (period)
    CROSS JOIN LATERAL (VALUES ('overall'), (nullif(part.category, 'overall'))) AS board (category)
    WHERE period IS NOT NULL AND board.category IS NOT NULL
    GROUP BY user_id, period, board.category HAVING sum(score) > 0
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

  /// What stands for an accuracy of 1, a power of two: floats from 1 down to 0.00002 lose nothing by it.
  private static let one: Statement = "1099511627776::double precision"

  /// The float that is nearest to the decimal of six digits, half rounded up.
  private static func sixDigits(of sum: Statement) -> Statement {
    "floor(\(sum) / \(one) * 1000000 + 0.5) / 1000000"
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
