import JobKit
import Postgres

/// The patterns of learners at which attempts have arrived since the last run, in the order of the learners.
struct NewAnswers {
  /// Each once for each pattern.
  private let learners: LearnerList
  private let patterns: [Int]

  /// Nothing where there are so many that a list of them takes too much memory, or too long to make.
  init?(since scan: IncrementalScan, atMost most: Int, in context: borrowing JobContext) throws {
    let answers = Self.answersToEach * most
    // In two arrays: rows of a result take six times the memory. Sorted before, as each array would sort by itself.
    let row = try context.query(
      """
      SELECT coalesce(array_agg(user_id), '{}'), coalesce(array_agg(pattern_id), '{}'),
        coalesce(sum(answers), 0)::bigint
      FROM (
        SELECT * FROM (
          SELECT user_id, pattern_id, count(*) AS answers FROM (
            SELECT user_id, pattern_id FROM learning.attempts
            WHERE \(scan.isNew("received_at", "written_in")) AND \(context.share(of: "user_id"))
            LIMIT \(answers)) AS new
          GROUP BY user_id, pattern_id LIMIT \(most + 1)) AS new
        ORDER BY user_id, pattern_id) AS new
      """
    ).only
    (learners, patterns) = (LearnerList(try row[0]), try row[1])
    guard patterns.count <= most, try row[2] < answers else { return nil }
  }

  /// How many answers there are to a pattern at most, on average.
  private static let answersToEach = 8

  /// Whose they are.
  var list: LearnerList {
    var ids: [Int] = []
    for learner in learners.ids where learner != ids.last { ids.append(learner) }
    return LearnerList(ids)
  }

  /// Those of neighbours on a list on which everybody is who has any.
  func patterns(of neighbours: [Int]) -> TriedPatterns {
    guard let first = neighbours.first, let last = neighbours.last else {
      return TriedPatterns(learners: [], patterns: [])
    }
    let places = learners.firstIndex(notBelow: first)..<learners.firstIndex(above: last)
    return TriedPatterns(
      learners: Array(learners.ids[places]), patterns: Array(patterns[places]))
  }
}
