import JobKit
import LocalTime
import Postgres

/// What is to be written so that the reviews of days are those that were chosen.
struct ReviewChanges {
  private var withdrawn: [(user: Int, day: CivilDate, rank: Int)] = []
  private var recommended: [(user: Int, day: CivilDate, review: Review)] = []

  /// Notes what differs between the reviews of a learner's day and those that were chosen.
  mutating func add(_ chosen: [Review], to learner: ReviewLearner, on day: CivilDate) {
    for review in learner.open where !chosen.contains(review) {
      withdrawn.append((learner.id, day, review.rank))
    }
    for review in chosen where !learner.open.contains(review) {
      recommended.append((learner.id, day, review))
    }
  }

  /// Writes the changes; returns how many reviews are new.
  func save(at moment: Instant, on connection: borrowing Connection) throws -> Int {
    if !withdrawn.isEmpty { try withdraw(on: connection) }
    guard !recommended.isEmpty else { return 0 }
    return try connection.copy(
      into: "learning.reviews",
      columns: [
        "user_id", "local_day", "rank", "pattern_id", "difficulty", "sentences", "locked",
        "conquest", "at",
      ]
    ) { rows in
      for (user, day, review) in recommended {
        try rows.write { row in
          row.append(user)
          row.append(day)
          row.append(Int16(review.rank))
          row.append(Int32(review.pattern))
          row.append(review.difficulty)
          row.append(Int16(review.sentences))
          row.append(review.isLocked)
          row.append(review.conquest)
          row.append(moment)
        }
      }
    }
  }

  /// Removes them before others take their ranks: a pattern that only changes its rank is on the day
  /// once at any time.
  private func withdraw(on connection: borrowing Connection) throws(PostgresError) {
    try connection.run(
      """
      DELETE FROM learning.reviews AS review
      USING unnest(\(withdrawn.map(\.user)), \(withdrawn.map(\.day)), \(withdrawn.map(\.rank)))
        AS withdrawn (user_id, local_day, rank)
      WHERE review.user_id = withdrawn.user_id AND review.local_day = withdrawn.local_day
        AND review.rank = withdrawn.rank AND review.state = 'open'
      """)
  }
}
