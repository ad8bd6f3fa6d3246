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

  /// The last mark that was set; nothing before the first.
  let last: BoardMark?

  /// How many places there are from one mark to the next: so many entries a reader counts at most.
  let stride: Int
}

extension BoardFill {
  /// Sets the next marks, so many at most; returns how to go on, or nothing after the last board.
  func step(_ most: Int, on connection: borrowing Connection) throws -> BoardFill? {
    let boards = try connection.run(
      """
      SELECT board, category, period FROM learning.leaderboards
      WHERE version = \(version.number) ORDER BY board, category OFFSET \(index) LIMIT 1
      """)
    guard let board = boards.first else { return nil }
    let (name, category): (String, String) = (try board[0], try board[1])
    let entries = ShownEntries(period: try board[2], category: category, version: version)
    let marked = try connection.run(statement(most, of: name, entries))
    let mark = try marked.first.map(BoardMark.init) ?? last
    guard try marked.first?[6] == most else {
      try finish(name, entries, after: mark, on: connection)
      return BoardFill(version: version, index: index + 1, last: nil, stride: stride)
    }
    return BoardFill(version: version, index: index, last: mark, stride: stride)
  }

  /// Sets marks in the order of the index, on from the last; gives the last of them, and how many.
  ///
  /// From each mark the index is read on to the next: no entry is numbered, sorted or kept. Who has the
  /// score of a mark before has its rank; else those are counted who share the score of the new one. Marks are
  /// written in the order of learners, whom their key locks: who deletes several in that order meets no deadlock.
  func statement(_ most: Int, of board: String, _ entries: ShownEntries) -> Statement {
    """
    WITH RECURSIVE mark AS (
      \(beginning(of: entries))
      UNION ALL
      SELECT number + 1, mark.place + \(stride), CASE WHEN next.behind = mark.behind THEN mark.rank
          ELSE mark.place + \(stride) - (
            SELECT count(*) FROM \(entries.all) AS tied
            WHERE tied.behind = next.behind AND (tied.missed, tied.reached_at, tied.user_id)
              < (next.missed, next.reached_at, next.user_id)) END,
        next.behind, next.missed, next.reached_at, next.user_id
      FROM mark CROSS JOIN LATERAL (
        SELECT behind, missed, reached_at, user_id FROM \(entries.all) AS entry
        WHERE \(BoardMark.key("entry")) > \(BoardMark.key("mark"))
        ORDER BY behind, missed, reached_at, user_id OFFSET \(stride - 1) LIMIT 1
      ) AS next
      WHERE number < \(most)
    ), written AS (
      INSERT INTO learning.leaderboard_marks
        (board, category, version, place, rank, behind, missed, reached_at, user_id)
      SELECT \(board), \(entries.category), \(version.number), place, rank, behind, missed, reached_at, user_id
      FROM mark WHERE number > 0 ORDER BY user_id
    )
    SELECT place, rank, behind, missed, reached_at, user_id, number FROM mark ORDER BY number DESC LIMIT 1
    """
  }

  /// The mark from which to go on, or the first, which is that of the first entry.
  private func beginning(of entries: ShownEntries) -> Statement {
    guard let last else {
      return """
        (SELECT 1::bigint AS number, 1::bigint AS place, 1::bigint AS rank, behind, missed, reached_at, user_id
        FROM \(entries.all) AS entry ORDER BY behind, missed, reached_at, user_id LIMIT 1)
        """
    }
    return """
      SELECT 0::bigint AS number, \(last.place) AS place, \(last.rank) AS rank, \(last.behind) AS behind,
        \(last.missed) AS missed, \(last.reachedAt) AS reached_at, \(last.user) AS user_id
      """
  }

  private func finish(
    _ board: String, _ entries: ShownEntries, after mark: BoardMark?,
    on connection: borrowing Connection
  ) throws(PostgresError) {
    guard let mark else { return }
    try connection.run(
      """
      UPDATE learning.leaderboards SET entries = \(mark.place) + (
        SELECT count(*) FROM \(entries.all) AS entry WHERE \(BoardMark.key("entry")) > \(mark.key))
      WHERE board = \(board) AND category = \(entries.category) AND version = \(version.number)
      """)
  }
}
