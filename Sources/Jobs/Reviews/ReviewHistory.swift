internal import Config
import JobKit
import LocalTime
import Postgres

/// The reviews that a learner had on a day that is over, as they were written.
enum ReviewHistory {
  static func explanation(
    of learner: Int, on day: CivilDate, _ patterns: ReviewPatterns,
    _ connection: borrowing Connection
  ) throws -> LearnerExplanation {
    let rows = try connection.run(
      """
      SELECT rank, pattern_id, difficulty, sentences, state, locked, conquest FROM learning.reviews
      WHERE user_id = \(learner) AND local_day = \(day) ORDER BY rank
      """)
    guard !rows.isEmpty else {
      return LearnerExplanation(
        lines: ["there are no reviews of \(day)"],
        facts: ["learner": .integer(learner), "day": .string("\(day)"), "patterns": []])
    }
    let reviews = try rows.map { try review($0, patterns) }
    return LearnerExplanation(
      lines: ["reviews of \(day), as they were written:"] + reviews.map(\.line),
      facts: [
        "learner": .integer(learner), "day": .string("\(day)"),
        "patterns": .array(reviews.map(\.facts)),
      ])
  }

  private static func review(
    _ row: Row, _ patterns: ReviewPatterns
  ) throws(PostgresError) -> (line: String, facts: JSON) {
    let (rank, pattern): (Int, Int) = (try row[0], try row[1])
    let (difficulty, state): (String, String) = (try row[2], try row[4])
    let (sentences, isLocked): (Int, Bool) = (try row[3], try row[5])
    let code = patterns.codes[pattern] ?? "\(pattern)"
    let locked = isLocked ? ", locked on the free plan" : ""
    return (
      "\(code): review \(rank), \(difficulty), \(sentences) sentences, \(state)\(locked)",
      [
        "pattern": .string(code), "rank": .integer(rank), "difficulty": .string(difficulty),
        "sentences": .integer(sentences), "state": .string(state), "locked": .boolean(isLocked),
        "conquest": .number(try row[6]),
      ]
    )
  }
}
