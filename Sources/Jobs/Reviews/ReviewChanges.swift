import JobKit
import LocalTime
import Postgres

/// What is to be written so that the reviews of days are those that were chosen.
struct ReviewChanges {
  private var withdrawn: [Recommendation] = []
  private var revised: [Recommendation] = []
  private var recommended: [Recommendation] = []

  /// What is there and changes, in the order of learners and ranks.
  private var open: [Recommendation] = []

  private typealias Recommendation = (user: Int, day: CivilDate, review: Review)

  /// Notes what differs between the reviews of a learner's day and those that were chosen.
  ///
  /// A pattern that keeps its rank is only told anew: its row lies where it is, and no index knows of it.
  mutating func add(_ chosen: [Review], to learner: ReviewLearner, on day: CivilDate) {
    for review in learner.open where !chosen.contains(review) {
      open.append((learner.id, day, review))
      if !chosen.contains(where: review.isSamePlace) {
        withdrawn.append((learner.id, day, review))
      }
    }
    for review in chosen where !learner.open.contains(review) {
      if learner.open.contains(where: review.isSamePlace) {
        revised.append((learner.id, day, review))
      } else {
        recommended.append((learner.id, day, review))
      }
    }
  }

  /// Locks what changes, in order, as an app does that has several reviews done; returns whether all of it is as it
  /// was read, which was done without a lock: what stays keeps nobody waiting.
  func lock(on connection: borrowing Connection) throws(PostgresError) -> Bool {
    guard !open.isEmpty else { return true }
    let locked = try connection.run(
      """
      SELECT count(*) FROM (
        SELECT FROM learning.reviews AS review
        JOIN unnest(\(open.map(\.user)), \(open.map(\.day)), \(open.map(\.review.rank)),
          \(open.map(\.review.pattern))) AS known (user_id, local_day, rank, pattern_id)
          USING (user_id, local_day, rank, pattern_id)
        WHERE state = 'open' ORDER BY user_id, local_day, rank FOR UPDATE OF review
      ) AS locked
      """
    ).only
    return try locked[0] == open.count
  }

  /// Writes the changes; returns how many reviews are new, or other than they were.
  func save(at moment: Instant, on connection: borrowing Connection) throws -> Int {
    try withdraw(on: connection)
    return try revise(at: moment, on: connection) + recommend(at: moment, on: connection)
  }
}

extension ReviewChanges {
  /// Removes them before others take their ranks: a pattern that only changes its rank is on the day
  /// once at any time.
  private func withdraw(on connection: borrowing Connection) throws(PostgresError) {
    guard !withdrawn.isEmpty else { return }
    try connection.run(
      """
      DELETE FROM learning.reviews AS review
      USING unnest(\(withdrawn.map(\.user)), \(withdrawn.map(\.day)),
        \(withdrawn.map(\.review.rank))) AS withdrawn (user_id, local_day, rank)
      WHERE review.user_id = withdrawn.user_id AND review.local_day = withdrawn.local_day
        AND review.rank = withdrawn.rank
      """)
  }

  private func revise(
    at moment: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    guard !revised.isEmpty else { return 0 }
    let reviews = revised.map(\.review)
    return try connection.run(
      """
      UPDATE learning.reviews AS review SET difficulty = revised.difficulty,
        sentences = revised.sentences, locked = revised.locked, conquest = revised.conquest,
        at = \(moment)
      FROM unnest(\(revised.map(\.user)), \(revised.map(\.day)), \(reviews.map(\.rank)),
        \(reviews.map(\.difficulty)), \(reviews.map(\.sentences)), \(reviews.map(\.isLocked)),
        \(reviews.map(\.conquest)))
        AS revised (user_id, local_day, rank, difficulty, sentences, locked, conquest)
      WHERE review.user_id = revised.user_id AND review.local_day = revised.local_day
        AND review.rank = revised.rank
      """
    ).affected
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
  /// Whether both are of the same pattern at the same rank.
  fileprivate func isSamePlace(as other: Review) -> Bool {
    rank == other.rank && pattern == other.pattern
  }
}
