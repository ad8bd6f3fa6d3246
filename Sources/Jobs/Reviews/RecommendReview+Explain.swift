import JobKit
public import LocalTime
public import Postgres

extension RecommendReview: LearnerExplainer {
  public func explain(
    _ learner: Int, on day: CivilDate?, at now: Instant, in zones: ZoneDatabase,
    _ connection: borrowing Connection
  ) throws -> LearnerExplanation {
    let found = try ReviewLearner.read(
      [learner], in: ZoneTable(of: zones, at: now), on: connection)
    guard let facts = found.first else { throw UnknownLearner(learner) }
    let patterns = try ReviewPatterns(under: rules, connection.run(ReviewPatterns.query))
    if let day, day != facts.today {
      return try ReviewHistory.explanation(of: learner, on: day, patterns, connection)
    }
    let standings = try Standings.measure([learner], as: now, patterns: patterns, on: connection)
    return ReviewExplanation(
      of: facts, standings.all(of: learner), at: now, patterns: patterns
    ).explanation
  }
}
