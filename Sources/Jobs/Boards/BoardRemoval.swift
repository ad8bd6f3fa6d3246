import JobKit
import Postgres

/// The removal of what readers do not see any more, before a version is made.
struct BoardRemoval {
  /// The version that is about to be made.
  let version: BoardVersion
}

extension BoardRemoval {
  /// Removes so much of each kind at most; returns whether that was all.
  func step(_ most: Int, on connection: borrowing Connection) throws(PostgresError) -> Bool {
    let ended = try removeEntries(most, which: Self.areEnded, on: connection)
    let weeks = try removeEntries(most, which: Self.areOfEarlierWeeks, on: connection)
    let marks = try removeMarks(most, on: connection)
    return max(ended, weeks, marks) < most
  }

  private func removeEntries(
    _ most: Int, which condition: Statement, on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    try connection.run(
      """
      DELETE FROM learning.leaderboard_entries WHERE (user_id, period, category, since) IN (
        SELECT user_id, period, category, since FROM learning.leaderboard_entries
        WHERE \(condition) LIMIT \(most))
      """
    ).affected
  }

  /// The current version and those after it do not show them.
  private static let areEnded: Statement = """
    until <> \(BoardVersion.open)
      AND until <= (SELECT max(version) FROM learning.leaderboards WHERE is_current)
    """

  /// Their week is before the one that the current boards are of.
  private static let areOfEarlierWeeks: Statement = """
    period <> 'all' AND period < (
      SELECT min(period) FROM learning.leaderboards WHERE is_current AND board = 'weekly')
    """

  /// Marks of versions before this one that are not current, and then those versions.
  private func removeMarks(
    _ most: Int, on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    let removed = try connection.run(
      """
      DELETE FROM learning.leaderboard_marks WHERE (version, board, category, place) IN (
        SELECT version, board, category, place
        FROM learning.leaderboards JOIN learning.leaderboard_marks USING (version, board, category)
        WHERE NOT is_current AND version < \(version.number) LIMIT \(most))
      """
    ).affected
    guard removed < most else { return removed }
    try connection.run(
      """
      DELETE FROM learning.leaderboards
      WHERE NOT is_current AND version < \(version.number)
      """)
    return removed
  }
}
