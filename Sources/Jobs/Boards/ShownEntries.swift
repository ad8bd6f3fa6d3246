import Postgres

/// The entries of a board that one version shows.
struct ShownEntries {
  let period: String
  let category: String
  let version: BoardVersion

  /// All of them, in place of a table.
  var all: Statement {
    """
    (SELECT behind, missed, reached_at, user_id FROM learning.leaderboard_entries
      WHERE period = \(period) AND category = \(category) AND \(version.shows))
    """
  }
}
