import JobKit
import LocalTime
import Postgres

/// The making of one board's version, a piece at a time, from the first place to the last.
struct BoardFill {
  let version: BoardVersion

  /// Which of the version's boards is made, in their order.
  let index: Int

  /// The last entry that was written; nothing before the first.
  let last: Entry?

  /// An entry, and what orders it among the others.
  struct Entry: Equatable {
    let place: Int
    let rank: Int
    let score: Int
    let accuracy: Double
    let reachedAt: Instant
    let user: Int
  }
}

extension BoardFill {
  /// Writes the next entries, so many at most; returns how to go on, or nothing after the last board.
  func step(_ most: Int, on connection: borrowing Connection) throws -> BoardFill? {
    let boards = try connection.run(
      """
      SELECT board, category, period FROM learning.leaderboards
      WHERE version = \(version.number) ORDER BY board, category OFFSET \(index) LIMIT 1
      """)
    guard let board = boards.first else { return nil }
    let written = try connection.run(
      statement(most, of: try board[0], try board[1], in: try board[2]))
    let entry = try written.first.map(Entry.init) ?? last
    guard try written.first?[6] == most else {
      try finish(try board[0], try board[1], entries: entry?.place ?? 0, on: connection)
      return BoardFill(version: version, index: index + 1, last: nil)
    }
    return BoardFill(version: version, index: index, last: entry)
  }

  /// Writes entries in the order of the index, on from the last; gives the last of them, and how many.
  func statement(
    _ most: Int, of board: String, _ category: String, in period: String
  ) -> Statement {
    let place = last?.place ?? 0
    return """
      WITH following AS (
        SELECT user_id, display_name, score, accuracy, reached_at, - score AS behind, - accuracy AS missed
        FROM learning.scores JOIN learning.users USING (user_id)
        WHERE period = \(period) AND category = \(category) AND \(isFollowing) AND status = 'active'
        ORDER BY - score, - accuracy, reached_at, user_id LIMIT \(most)
      ), ranked AS (
        SELECT *, \(place) + row_number() OVER (ORDER BY behind, missed, reached_at, user_id) AS place,
          CASE WHEN score = \(last?.score) THEN \(last?.rank)
          ELSE \(place) + rank() OVER (ORDER BY behind) END AS rank
        FROM following
      ), written AS (
        INSERT INTO learning.leaderboard_entries
          (board, category, version, place, rank, user_id, display_name, score, accuracy)
        SELECT \(board), \(category), \(version.number), place, rank, user_id, display_name, score,
          accuracy FROM ranked
      )
      SELECT place, rank, score, accuracy, reached_at, user_id, (SELECT count(*) FROM ranked)
      FROM ranked ORDER BY place DESC LIMIT 1
      """
  }

  private var isFollowing: Statement {
    guard let last else { return "true" }
    return """
      (- score, - accuracy, reached_at, user_id)
        > (\(-last.score), \(-last.accuracy), \(last.reachedAt), \(last.user))
      """
  }

  private func finish(
    _ board: String, _ category: String, entries: Int, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      """
      UPDATE learning.leaderboards SET entries = \(entries)
      WHERE board = \(board) AND category = \(category) AND version = \(version.number)
      """)
  }
}

extension BoardFill.Entry {
  fileprivate init(_ row: Row) throws {
    place = try row[0]
    rank = try row[1]
    score = try row[2]
    accuracy = try row[3]
    reachedAt = try row[4]
    user = try row[5]
  }

  /// The entry in a word, from which it can be read again to the last bit.
  var text: String {
    "\(place) \(rank) \(score) \(accuracy) \(reachedAt.microseconds) \(user)"
  }

  init?(_ words: [Substring]) {
    guard words.count == 6, let place = Int(words[0]), let rank = Int(words[1]),
      let score = Int(words[2]), let accuracy = Double(words[3]), let moment = Int64(words[4]),
      let user = Int(words[5])
    else { return nil }
    self.init(
      place: place, rank: rank, score: score, accuracy: accuracy,
      reachedAt: Instant(microseconds: moment), user: user)
  }
}
