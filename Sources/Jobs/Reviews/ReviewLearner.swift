import JobKit
import LocalTime
import Postgres

/// What reviews depend on besides attempts: a learner's day, plan, and what the day has already.
struct ReviewLearner {
  let id: Int

  /// The local day; nothing where nobody knows the zone.
  let today: CivilDate?
  let isFree: Bool

  /// Whether there may be measures and reviews of theirs.
  let isKnown: Bool

  /// The reviews of the day that the app has not turned into done.
  var open: [Review] = []

  /// The patterns that were reviewed on the day, each with its rank.
  var done: [Int: Int] = [:]
}

extension ReviewLearner {
  /// Reads learners as of the zone table's instant.
  ///
  /// Who locks the reviews of their day keeps the app from turning any into done until the transaction ends.
  static func read(
    _ ids: [Int], in zones: ZoneTable, locking: Bool = false, on connection: borrowing Connection
  ) throws -> [ReviewLearner] {
    let span = IDRange(ids)
    let rows = try connection.run(
      """
      SELECT users.user_id, zone.local_day, plan = 'free', held.user_id IS NOT NULL
      FROM unnest(\(ids)) AS learner (user_id)
      JOIN learning.users ON users.user_id = learner.user_id AND \(span.mayJoin("users.user_id"))
      LEFT JOIN learning.review_learners AS held
        ON held.user_id = users.user_id AND \(span.mayJoin("held.user_id"))
      LEFT JOIN \(zones.rows) ON zone.name = users.zone
      ORDER BY users.user_id
      """)
    var learners = try rows.map { row in
      ReviewLearner(id: try row[0], today: try row[1], isFree: try row[2], isKnown: try row[3])
    }
    try addReviews(to: &learners, locking: locking, on: connection)
    return learners
  }

  private static func addReviews(
    to learners: inout [ReviewLearner], locking: Bool, on connection: borrowing Connection
  ) throws {
    let dated = learners.filter { $0.today != nil && $0.isKnown }
    guard !dated.isEmpty else { return }
    let rows = try connection.run(
      """
      SELECT user_id, rank, pattern_id, difficulty, sentences, locked, conquest, state = 'done'
      FROM learning.reviews
      JOIN unnest(\(dated.map(\.id)), \(dated.map(\.today))) AS day (user_id, local_day)
        USING (user_id, local_day)
      ORDER BY user_id, rank \(locking ? "FOR UPDATE OF reviews" : "" as Statement)
      """)
    var index = 0
    for row in rows {
      let user: Int = try row[0]
      while learners[index].id < user { index += 1 }
      try learners[index].add(row)
    }
  }

  private mutating func add(_ row: Row) throws(PostgresError) {
    let (rank, pattern): (Int, Int) = (try row[1], try row[2])
    guard try !row[7] else {
      done[pattern] = rank
      return
    }
    open.append(
      Review(
        rank: rank, pattern: pattern, difficulty: try row[3], sentences: try row[4],
        isLocked: try row[5], conquest: try row[6]))
  }
}
