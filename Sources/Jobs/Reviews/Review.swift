import Postgres

/// A pattern that a learner should review on a day.
struct Review: Equatable {
  /// The first is the weakest.
  let rank: Int
  let pattern: Int
  let difficulty: Difficulty
  let sentences: Int
  let isLocked: Bool
  let conquest: Double
}

/// How hard a review is.
enum Difficulty: String, PostgresValue {
  case basic
  case standard
  case advanced
}

extension Review {
  init(of standing: Standing, rank: Int, isFree: Bool, under rules: ReviewRules) {
    let conquest = standing.measure.conquest
    self.init(
      rank: rank, pattern: standing.pattern, difficulty: rules.difficulty(at: conquest),
      sentences: rules.sentences(at: conquest), isLocked: isFree && rank > 1, conquest: conquest)
  }
}
