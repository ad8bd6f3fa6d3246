import LocalTime
import Postgres

/// An entry whose place on a board is known, and what orders it among the others.
struct BoardMark: Equatable {
  let place: Int
  let rank: Int
  let behind: Int
  let missed: Double
  let reachedAt: Instant
  let user: Int
}

extension BoardMark {
  init(_ row: Row) throws {
    place = try row[0]
    rank = try row[1]
    behind = try row[2]
    missed = try row[3]
    reachedAt = try row[4]
    user = try row[5]
  }

  /// What orders the entries of a board, as columns of `row`.
  static func key(_ row: Statement) -> Statement {
    "(\(row).behind, \(row).missed, \(row).reached_at, \(row).user_id)"
  }

  /// What orders it among the others, as values.
  var key: Statement { "(\(behind), \(missed), \(reachedAt), \(user))" }

  /// The mark in a word, from which it can be read again to the last bit.
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
