import JobKit
import LocalTime
import Postgres

/// A version of all boards, which is made beside the one that readers see.
struct BoardVersion {
  let asOf: Instant
  let week: CalendarWeek
  let expiresAt: Instant

  /// Later instants have higher numbers.
  var number: Int { Int(asOf.microseconds) }
}

extension BoardVersion {
  /// Makes room for the version; returns false when it, or a later one, is being made or is there.
  ///
  /// One that an earlier run for the same instant has abandoned is begun anew by who may take it over, and
  /// its entries are removed with those of the versions before.
  func begin(
    takingOver mayTakeOver: Bool, on connection: borrowing Connection
  ) throws(PostgresError) -> Bool {
    let isLate = try connection.run(
      "SELECT EXISTS (SELECT FROM learning.leaderboards WHERE is_current AND version >= \(number))"
    ).only
    guard try !isLate[0] else { return false }
    let made = try connection.run(
      """
      INSERT INTO learning.leaderboards
        (board, category, version, period, is_current, entries, last_updated, cache_expires_at)
      SELECT board, category, \(number), period, false, 0, \(asOf), \(expiresAt)
      FROM (\(boards)) AS board
      ON CONFLICT (board, category, version) DO NOTHING
      """
    ).affected
    return made > 0 || mayTakeOver
  }

  /// Every board there is: overall, of each category that has a score, and those that had entries once.
  private var boards: Statement {
    """
    WITH RECURSIVE scored (board, period, category) AS (
      SELECT board, period, (SELECT min(category) FROM learning.scores WHERE scores.period = kind.period)
      FROM (VALUES ('weekly', \("\(week)")::text), ('all_time', 'all')) AS kind (board, period)
      UNION ALL
      SELECT board, period, (SELECT min(category) FROM learning.scores
        WHERE scores.period = scored.period AND scores.category > scored.category)
      FROM scored WHERE category IS NOT NULL
    ), kind AS (SELECT DISTINCT board, period FROM scored)
    SELECT board, period, category FROM scored WHERE category IS NOT NULL
    UNION SELECT board, period, 'overall' FROM kind
    UNION SELECT board, kind.period, category FROM learning.leaderboards JOIN kind USING (board)
      WHERE is_current
    """
  }

  /// Removes entries of versions that readers do not see, so many at most; returns how many.
  ///
  /// They are of the version before the current one, and of refreshes that never came to their end; of this
  /// one too, before it is written.
  func removeOthers(_ most: Int, on connection: borrowing Connection) throws(PostgresError) -> Int {
    let removed = try connection.run(
      """
      DELETE FROM learning.leaderboard_entries WHERE (board, category, version, place) IN (
        SELECT board, category, version, place
        FROM learning.leaderboards JOIN learning.leaderboard_entries USING (board, category, version)
        WHERE NOT is_current LIMIT \(most))
      """
    ).affected
    guard removed < most else { return removed }
    try connection.run(
      "DELETE FROM learning.leaderboards WHERE NOT is_current AND version <> \(number)")
    return removed
  }

  /// Switches readers to this version, every board at the same instant; returns how many boards.
  func publish(on connection: borrowing Connection) throws(PostgresError) -> Int {
    try connection.run(
      """
      UPDATE learning.leaderboards SET is_current = (version = \(number))
      WHERE is_current OR version = \(number)
      """)
    return try connection.run(
      "SELECT count(*) FROM learning.leaderboards WHERE version = \(number)"
    ).only[0]
  }

  /// Who leads its boards, as in `weekly board of overall: learner 17 would be at place 1 with 40`.
  func examples(on connection: borrowing Connection) throws -> [String] {
    try connection.run(
      """
      SELECT board, category, user_id, place, score FROM learning.leaderboard_entries
      WHERE version = \(number) AND place <= 3
      ORDER BY category <> 'overall', category, board DESC, place LIMIT 10
      """
    ).map { row in
      let (board, category): (String, String) = (try row[0], try row[1])
      let (user, place, score): (Int, Int, Int) = (try row[2], try row[3], try row[4])
      return "\(board) board of \(category): learner \(user) would be at place \(place)"
        + " with \(score)"
    }
  }

  /// How many entries its boards have in all.
  func entries(on connection: borrowing Connection) throws(PostgresError) -> Int {
    try connection.run(
      """
      SELECT coalesce(sum(entries), 0)::bigint FROM learning.leaderboards
      WHERE version = \(number)
      """
    ).only[0]
  }
}
