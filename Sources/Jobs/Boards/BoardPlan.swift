import JobKit
import LocalTime
import Postgres

/// A version of all boards that is to be made: as of when, of which week, and when readers may expect another.
struct BoardPlan {
  let asOf: Instant
  let week: CalendarWeek
  let expiresAt: Instant
}

extension BoardPlan {
  /// Begins the version that is next; returns nothing when one of this instant, or a later one, is being made
  /// or is there.
  ///
  /// One that an earlier run for the same instant has abandoned is made anew by who may take it over.
  func begin(
    takingOver mayTakeOver: Bool, on connection: borrowing Connection
  ) throws(PostgresError) -> BoardVersion? {
    let found = try connection.run(
      """
      SELECT coalesce(max(version), 0) + 1, coalesce(bool_or(is_current AND last_updated >= \(asOf)), false),
        coalesce(bool_or(last_updated = \(asOf)), false)
      FROM learning.leaderboards
      """
    ).only
    let (isLate, isBegun): (Bool, Bool) = (try found[1], try found[2])
    guard !isLate, !isBegun || mayTakeOver else { return nil }
    let version = BoardVersion(number: try found[0])
    try connection.run(
      """
      INSERT INTO learning.leaderboards
        (board, category, version, period, is_current, entries, last_updated, cache_expires_at)
      SELECT board, category, \(version.number), period, false, 0, \(asOf), \(expiresAt)
      FROM (\(boards)) AS board
      """)
    return version
  }

  /// Every board there is: overall, of each category that has an entry, and those that had entries once.
  private var boards: Statement {
    """
    WITH RECURSIVE scored (board, period, category) AS (
      SELECT board, period, (SELECT min(category) FROM learning.leaderboard_entries AS entry
        WHERE entry.period = kind.period)
      FROM (VALUES ('weekly', \("\(week)")::text), ('all_time', 'all')) AS kind (board, period)
      UNION ALL
      SELECT board, period, (SELECT min(category) FROM learning.leaderboard_entries AS entry
        WHERE entry.period = scored.period AND entry.category > scored.category)
      FROM scored WHERE category IS NOT NULL
    ), kind AS (SELECT DISTINCT board, period FROM scored)
    SELECT board, period, category FROM scored WHERE category IS NOT NULL
    UNION SELECT board, period, 'overall' FROM kind
    UNION SELECT board, kind.period, category FROM learning.leaderboards JOIN kind USING (board)
      WHERE is_current
    """
  }
}
