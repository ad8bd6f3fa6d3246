import LocalTime
import Postgres

/// The row of a learner's streak, as it is saved.
struct StreakRow: Sendable, Equatable {
  let learner: Int

  /// The streak; nothing when the row has only just been made.
  let saved: Streak?
  let changedAt: Instant

  var isRepairable: Bool { saved?.missedDay != nil }

  /// The rows that there are of `learners`, locked in order.
  static func locked(
    _ learners: [Int], on connection: borrowing Connection
  ) throws -> [StreakRow] {
    try connection.run("\(query(learners)) FOR UPDATE").map { try StreakRow($0) }
  }

  /// The rows that there are of `learners`, for who only looks.
  static func seen(
    _ learners: [Int], on connection: borrowing Connection
  ) throws -> [StreakRow] {
    try connection.run(query(learners)).map { try StreakRow($0) }
  }

  private static func query(_ learners: [Int]) -> Statement {
    """
    SELECT user_id, longest, started_on, last_day, length, missed_day, repairable_until, check_at, changed_at
    FROM learning.streaks WHERE user_id = ANY (\(learners)) ORDER BY user_id
    """
  }
}

extension StreakRow {
  fileprivate init(_ row: Row) throws(PostgresError) {
    learner = try row[0]
    changedAt = try row[8]
    saved = try Streak(row)
  }
}

extension Streak {
  fileprivate init?(_ row: Row) throws(PostgresError) {
    longest = try row[1]
    guard longest > 0 else { return nil }
    checkAt = try row[7]
    changedAt = try row[8]
    let (first, last): (CivilDate?, CivilDate?) = (try row[2], try row[3])
    let (missed, until): (CivilDate?, CivilDate?) = (try row[5], try row[6])
    guard let first, let last else { return }
    let chain = Chain(startedOn: first, lastDay: last, length: try row[4])
    standing = .kept(chain)
    if let missed, let until { standing = .repairable(chain, missed: missed, until: until) }
  }
}
