import Postgres

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
