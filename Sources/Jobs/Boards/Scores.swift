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

extension Scores {
  /// Adds up anew what these learners have scored, and writes what has changed to the next version of boards;
  /// returns how many of their scores changed.
  func refresh(_ ids: [Int], on connection: borrowing Connection) throws(PostgresError) -> Int {
    let version = try BoardVersion.next(on: connection)
    let row = try connection.run(statement(for: ids, in: version)).only
    return try row[0]
  }

  /// An entry that readers may see ends with the version in which another takes its place; one that no version
  /// shows yet is changed where it stands, and shown again if it had ended.
  ///
  /// Entries that are known are told apart first: an insert that looks for conflicts takes a seventh longer.
  /// They are joined in full, for which Postgres never compares each with each, however few it expects.
  func statement(for ids: [Int], in version: BoardVersion) -> Statement {
    """
    WITH counted AS (\(counted(of: ids))), known AS MATERIALIZED (
      SELECT user_id, period, category, since, until, display_name, score, accuracy, reached_at
      FROM learning.leaderboard_entries
      WHERE user_id = ANY(\(ids)) AND (until = \(BoardVersion.open) OR since = \(version.number))
    ), news AS MATERIALIZED (
      SELECT user_id, period, category, counted.display_name, counted.score, counted.accuracy,
        counted.reached_at, since, until, since = \(version.number) AS is_unseen
      FROM counted FULL JOIN known USING (user_id, period, category)
      WHERE until IS DISTINCT FROM \(BoardVersion.open)
        OR (counted.display_name, counted.score, counted.accuracy, counted.reached_at)
          IS DISTINCT FROM (known.display_name, known.score, known.accuracy, known.reached_at)
    ), ended AS (\(Self.ended(in: version))
    ), renewed AS (\(Self.renewed)
    ), added AS (\(Self.added(in: version)))
    SELECT (SELECT count(*) FROM ended WHERE is_gone) + (SELECT count(*) FROM renewed)
      + (SELECT count(*) FROM added)
    """
  }

  /// Ends what readers may see and is so no more, and whatever nothing is counted for.
  private static func ended(in version: BoardVersion) -> Statement {
    """
    UPDATE learning.leaderboard_entries AS entry SET until = \(version.number) FROM news
    WHERE \(isKnown) AND news.until = \(BoardVersion.open) AND (news.score IS NULL OR NOT is_unseen)
    RETURNING news.score IS NULL AS is_gone
    """
  }

  /// Changes what no version shows yet.
  private static let renewed: Statement = """
    UPDATE learning.leaderboard_entries AS entry
    SET (until, display_name, score, accuracy, reached_at)
      = (\(BoardVersion.open), news.display_name, news.score, news.accuracy, news.reached_at)
    FROM news WHERE \(isKnown) AND is_unseen AND news.score IS NOT NULL
    RETURNING 1
    """

  /// Adds what is new, and what takes the place of an entry that ends.
  private static func added(in version: BoardVersion) -> Statement {
    """
    INSERT INTO learning.leaderboard_entries
      (user_id, period, category, since, until, display_name, score, accuracy, reached_at)
    SELECT user_id, period, category, \(version.number), \(BoardVersion.open), display_name, score,
      accuracy, reached_at
    FROM news WHERE score IS NOT NULL AND is_unseen IS NOT TRUE
    ORDER BY user_id, period, category
    RETURNING 1
    """
  }

  private static let isKnown: Statement = """
    (entry.user_id, entry.period, entry.category, entry.since)
      = (news.user_id, news.period, news.category, news.since)
    """
}
