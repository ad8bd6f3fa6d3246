import JobKit
import LocalTime
import Postgres

/// How learners stand with the patterns that they have tried, as of an instant.
struct Standings {
  /// The standings of each learner.
  private(set) var ofLearner: [Int: [Standing]] = [:]

  /// How many attempts were read of each.
  private var read: [Int: Int] = [:]

  /// Measures a pattern of a learner, of which a row of ``StandingsReader`` tells.
  mutating func add(_ row: Row, by patterns: ReviewPatterns) throws(PostgresError) {
    let digits: String = try row[2]
    let learner: Int = try row[0]
    guard let standing = try Standing(row, Answer.answers(in: digits), by: patterns) else { return }
    read[learner, default: 0] += digits.utf8.count
    ofLearner[learner, default: []].append(standing)
  }

  /// Measures anew of whom not all was read, because it is much.
  mutating func complete(
    by reader: StandingsReader, on connection: borrowing Connection
  ) throws(PostgresError) {
    let rest = read.filter { $0.value > StandingsReader.little }.keys.sorted()
    guard !rest.isEmpty else { return }
    for learner in rest { ofLearner[learner] = [] }
    for row in try connection.run(reader.bySteps(rest)) { try add(row, by: reader.patterns) }
  }

  /// Measures the patterns of these learners.
  static func measure(
    _ ids: [Int], as moment: Instant, patterns: ReviewPatterns, on connection: borrowing Connection
  ) throws -> Standings {
    let reader = StandingsReader(moment: moment, patterns: patterns)
    let read = try connection.pipeline(reader.statements(of: ids))
    var standings = Standings()
    for row in StandingsReader.attempts(in: read) { try standings.add(row, by: patterns) }
    try standings.complete(by: reader, on: connection)
    return standings
  }
}

extension Standing {
  /// A standing by the attempts in a row; nothing where there are none.
  ///
  /// What the row does not tell of the week before and of the box is among the answers, which are all then.
  fileprivate init?(
    _ row: Row, _ answers: [Answer], by patterns: ReviewPatterns
  ) throws(PostgresError) {
    let (rules, pattern): (ReviewRules, Int) = (patterns.rules, try row[1])
    guard let measure = Measure(answers.prefix(rules.latest), under: rules) else { return nil }
    let (old, earlier): (Int, String?) = (try row[3], try row[5])
    let before = Measure(
      earlier.map { Answer.answers(in: $0)[...] } ?? answers.suffix(old).prefix(rules.latest),
      under: rules)?.conquest
    self.init(
      pattern: pattern, measure: measure, weekBefore: before,
      trend: Trend(from: before, to: measure.conquest, under: rules),
      box: patterns.boxed.contains(pattern)
        ? try Self.box(row, answers, under: rules) : nil,
      measuredAt: try row[4])
  }

  private static func box(
    _ row: Row, _ answers: [Answer], under rules: ReviewRules
  ) throws(PostgresError) -> LeitnerBox? {
    let since: String? = try row[6]
    let days = try row.list(7, of: Instant.self).reversed().map { Zone.utc.localDay(of: $0) }
    return LeitnerBox(since.map { Answer.answers(in: $0) } ?? answers, on: days, under: rules)
  }
}
