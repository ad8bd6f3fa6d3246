import JobKit
import LocalTime
import Postgres

/// The making of one board's version, a piece at a time, from the first place to the last.
///
/// The entries are there already. What is written are marks: the places of a few entries, from which
/// readers count those of the others.
struct BoardFill {
  let version: BoardVersion

  /// Which of the version's boards is made, in their order.
  let index: Int

  /// The last entry that was passed; nothing before the first.
  let last: Entry?

  /// How many places there are from one mark to the next: so many entries a reader counts at most.
  var stride = 128

  /// An entry's place, and what orders it among the others.
  struct Entry: Equatable {
    let place: Int
    let rank: Int
    let behind: Int
    let missed: Double
    let reachedAt: Instant
    let user: Int
  }
}

extension BoardFill {
  /// Passes the next entries, so many at most; returns how to go on, or nothing after the last board.
  func step(_ most: Int, on connection: borrowing Connection) throws -> BoardFill? {
    let boards = try connection.run(
      """
      SELECT board, category, period FROM learning.leaderboards
      WHERE version = \(version.number) ORDER BY board, category OFFSET \(index) LIMIT 1
      """)
    guard let board = boards.first else { return nil }
    let passed = try connection.run(
      statement(most, of: try board[0], try board[1], in: try board[2]))
    let entry = try passed.first.map(Entry.init) ?? last
    guard try passed.first?[6] == most else {
      try finish(try board[0], try board[1], entries: entry?.place ?? 0, on: connection)
      return BoardFill(version: version, index: index + 1, last: nil, stride: stride)
    }
    return BoardFill(version: version, index: index, last: entry, stride: stride)
  }

  /// Marks entries in the order of the index, on from the last; gives the last of them, and how many.
  func statement(
    _ most: Int, of board: String, _ category: String, in period: String
  ) -> Statement {
    let place = last?.place ?? 0
    return """
      WITH following AS (
        SELECT behind, missed, reached_at, user_id FROM learning.leaderboard_entries
        WHERE period = \(period) AND category = \(category) AND \(isFollowing) AND \(version.shows)
        ORDER BY behind, missed, reached_at, user_id LIMIT \(most)
      ), ranked AS (
        SELECT *, \(place) + row_number() OVER (ORDER BY behind, missed, reached_at, user_id) AS place,
          CASE WHEN behind = \(last?.behind) THEN \(last?.rank)
          ELSE \(place) + rank() OVER (ORDER BY behind) END AS rank
        FROM following
      ), marked AS (
        INSERT INTO learning.leaderboard_marks
          (board, category, version, place, rank, behind, missed, reached_at, user_id)
        SELECT \(board), \(category), \(version.number), place, rank, behind, missed, reached_at, user_id
        FROM ranked WHERE (place - 1) % \(stride) = 0
      )
      SELECT place, rank, behind, missed, reached_at, user_id, (SELECT count(*) FROM ranked)
      FROM ranked ORDER BY place DESC LIMIT 1
      """
  }

  private var isFollowing: Statement {
    guard let last else { return "true" }
    return """
      (behind, missed, reached_at, user_id)
        > (\(last.behind), \(last.missed), \(last.reachedAt), \(last.user))
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
    behind = try row[2]
    missed = try row[3]
    reachedAt = try row[4]
    user = try row[5]
  }

  /// The entry in a word, from which it can be read again to the last bit.
  var text: String {
    "\(place) \(rank) \(behind) \(missed) \(reachedAt.microseconds) \(user)"
  }

  init?(_ words: [Substring]) {
    guard words.count == 6, let place = Int(words[0]), let rank = Int(words[1]),
      let behind = Int(words[2]), let missed = Double(words[3]), let moment = Int64(words[4]),
      let user = Int(words[5])
    else { return nil }
    self.init(
      place: place, rank: rank, behind: behind, missed: missed,
      reachedAt: Instant(microseconds: moment), user: user)
  }
}
