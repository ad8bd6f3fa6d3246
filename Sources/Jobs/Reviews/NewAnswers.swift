import JobKit
import Postgres

/// The patterns of learners at which attempts have arrived since the last run, in the order of the learners.
struct NewAnswers {
  /// Each once for each pattern.
  private let learners: LearnerList
  private let patterns: [Int]

  /// Nothing where there are so many that a list of them takes too much memory.
  init?(since round: Round, atMost most: Int, in context: borrowing JobContext) throws {
    // In two arrays: rows of a result take six times the memory.
    let row = try context.look(
      """
      SELECT coalesce(array_agg(user_id ORDER BY user_id, pattern_id), '{}'),
        coalesce(array_agg(pattern_id ORDER BY user_id, pattern_id), '{}')
      FROM (SELECT DISTINCT user_id, pattern_id FROM learning.attempts
        WHERE \(round.isNew("received_at", "written_in")) AND \(context.share(of: "user_id"))
        LIMIT \(most + 1)) AS new
      """
    ).only
    (learners, patterns) = (LearnerList(try row[0]), try row[1])
    guard patterns.count <= most else { return nil }
  }

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
    let places = learners.firstIndex(above: first - 1)..<learners.firstIndex(above: last)
    return TriedPatterns(
      learners: Array(learners.ids[places]), patterns: Array(patterns[places]))
  }
}
