import JobKit
import LocalTime
import Postgres

/// A version of all boards, by its number: entries tell since which version and until which they are shown.
///
/// What is written goes to a version that nobody has begun to make. So neither readers nor who makes
/// another version see anything change.
struct BoardVersion: Equatable {
  let number: Int
}

extension BoardVersion {
  /// The version that comes next, to which entries are written until the transaction ends.
  static func next(on connection: borrowing Connection) throws(PostgresError) -> BoardVersion {
    try connection.run("LOCK TABLE learning.leaderboards IN ROW EXCLUSIVE MODE")
    let row = try connection.run(
      "SELECT coalesce(max(version), 0) + 1 FROM learning.leaderboards"
    ).only
    return BoardVersion(number: try row[0])
  }

  /// Lets those stand in a line who begin or end a version, until their transactions end; each waits for who
  /// writes entries to the version before.
  ///
  /// Whoever only reads has no lock that this waits for, and waits for none: that takes the right to write the table.
  static func standInLine(on connection: borrowing Connection) throws(PostgresError) {
    try connection.run("LOCK TABLE learning.leaderboards IN SHARE ROW EXCLUSIVE MODE")
  }

  /// Until when an entry is shown of which nothing is known to have changed; written out, so that the planner
  /// can tell it from the condition of an index.
  static let open: Statement = "9223372036854775807"

  /// Which entries the version shows, as a condition on their columns.
  var shows: Statement { "(since <= \(number) AND until > \(number))" }

  /// Whether somebody has begun it, and neither ended it nor begun another since.
  func isBeingMade(on connection: borrowing Connection) throws(PostgresError) -> Bool {
    try connection.run(
      """
      SELECT count(*) > 0 AND bool_and(version = \(number) AND NOT is_current)
      FROM learning.leaderboards WHERE version >= \(number)
      """
    ).only[0]
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
      SELECT board, foremost.category, user_id, place, score
      FROM learning.leaderboards AS made CROSS JOIN LATERAL (
        SELECT *, row_number() OVER (ORDER BY behind, missed, reached_at, user_id) AS place
        FROM learning.leaderboard_entries AS entry
        WHERE entry.period = made.period AND entry.category = made.category AND \(shows)
        ORDER BY behind, missed, reached_at, user_id LIMIT 3
      ) AS foremost
      WHERE version = \(number)
      ORDER BY foremost.category <> 'overall', foremost.category, board DESC, place LIMIT 10
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
