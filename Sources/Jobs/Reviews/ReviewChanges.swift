import JobKit
import LocalTime
import Postgres

/// What is to be written so that the reviews of days are those that were chosen.
struct ReviewChanges {
  private var withdrawn: [(user: Int, day: CivilDate, rank: Int)] = []
  private var revised: [Recommendation] = []
  private var recommended: [Recommendation] = []

  private typealias Recommendation = (user: Int, day: CivilDate, review: Review)

  /// Notes what differs between the reviews of a learner's day and those that were chosen.
  ///
  /// A pattern that keeps its rank is only told anew: its row lies where it is, and no index knows of it.
  mutating func add(_ chosen: [Review], to learner: ReviewLearner, on day: CivilDate) {
    for review in learner.open where !chosen.contains(where: review.isInPlaceOf) {
      withdrawn.append((learner.id, day, review.rank))
    }
    for review in chosen where !learner.open.contains(review) {
      if learner.open.contains(where: review.isInPlaceOf) {
        revised.append((learner.id, day, review))
      } else {
        recommended.append((learner.id, day, review))
      }
    }
  }

  /// Writes the changes; returns how many reviews are new, or other than they were.
  ///
  /// Reviews are read without a lock, so that nobody waits who has just done one. Whether the app has turned one into
  /// done since then matters only for those that are changed, and shows when they are: then nothing is written.
  func save(at moment: Instant, on connection: borrowing Connection) throws -> Int {
    guard !withdrawn.isEmpty || !revised.isEmpty else {
      return try recommend(at: moment, on: connection)
    }
    return try connection.savepoint { connection in
      try withdraw(on: connection)
      try revise(at: moment, on: connection)
      return try revised.count + recommend(at: moment, on: connection)
    }
  }

  /// A review that was to be changed has been done meanwhile, and so what was chosen is no more what would be.
  struct Overtaken: Error {}

  /// Removes them before others take their ranks: a pattern that only changes its rank is on the day
  /// once at any time.
  private func withdraw(on connection: borrowing Connection) throws {
    guard !withdrawn.isEmpty else { return }
    let result = try connection.run(
      """
      DELETE FROM learning.reviews AS review
      USING unnest(\(withdrawn.map(\.user)), \(withdrawn.map(\.day)), \(withdrawn.map(\.rank)))
        AS withdrawn (user_id, local_day, rank)
      WHERE review.user_id = withdrawn.user_id AND review.local_day = withdrawn.local_day
        AND review.rank = withdrawn.rank AND review.state = 'open'
      """)
    guard result.affected == withdrawn.count else { throw Overtaken() }
  }
}

extension ReviewChanges {
  private func revise(at moment: Instant, on connection: borrowing Connection) throws {
    guard !revised.isEmpty else { return }
    let reviews = revised.map(\.review)
    let result = try connection.run(
      """
      UPDATE learning.reviews AS review SET difficulty = revised.difficulty,
        sentences = revised.sentences, locked = revised.locked, conquest = revised.conquest,
        at = \(moment)
      FROM unnest(\(revised.map(\.user)), \(revised.map(\.day)), \(reviews.map(\.rank)),
        \(reviews.map(\.difficulty)), \(reviews.map(\.sentences)), \(reviews.map(\.isLocked)),
        \(reviews.map(\.conquest)))
        AS revised (user_id, local_day, rank, difficulty, sentences, locked, conquest)
      WHERE review.user_id = revised.user_id AND review.local_day = revised.local_day
        AND review.rank = revised.rank AND review.state = 'open'
      """)
    guard result.affected == revised.count else { throw Overtaken() }
  }

  private func recommend(at moment: Instant, on connection: borrowing Connection) throws -> Int {
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
}

extension Review {
  /// Whether both are the same pattern at the same rank.
  fileprivate func isInPlaceOf(_ other: Review) -> Bool {
    rank == other.rank && pattern == other.pattern
  }
}
