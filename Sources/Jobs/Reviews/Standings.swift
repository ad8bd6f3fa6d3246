import JobKit
import LocalTime
import Postgres

/// How learners stand with the patterns that they have tried, as of an instant.
struct Standings {
  /// What was read and measured of each learner.
  private var found: [Int: Found] = [:]

  /// What is known of each learner's other patterns.
  private var known: [Int: [Standing]] = [:]

  private struct Found {
    var standings: [Standing] = []

    /// How many attempts were read, and at the pattern that was tried most.
    var attempts = 0
    var most = 0

    mutating func add(_ standing: Standing, by attempts: Int) {
      standings.append(standing)
      self.attempts += attempts
      most = max(most, attempts)
    }
  }

  /// Those that were measured.
  func measured(of learner: Int) -> [Standing] { found[learner]?.standings ?? [] }

  /// With all patterns.
  func all(of learner: Int) -> [Standing] { measured(of: learner) + (known[learner] ?? []) }

  /// Measures a pattern of a learner, of which a row of ``StandingsReader`` tells, unless it is known.
  mutating func add(_ row: Row, by patterns: borrowing ReviewPatterns) throws(PostgresError) {
    let learner: Int = try row[0]
    guard let digits = try row[2, as: String?.self] else {
      let standing = try Standing(known: row, by: patterns)
      // A pattern that is no more, and its attempts with it, is not to be reviewed.
      if patterns.codes[standing.pattern] != nil { known[learner, default: []].append(standing) }
      return
    }
    guard let standing = try Standing(row, Answer.answers(in: digits), by: patterns) else { return }
    found[learner, default: Found()].add(standing, by: digits.utf8.count)
  }

  /// Measures anew of whom not all was read, because it is much.
  mutating func complete(
    _ tried: TriedPatterns, by reader: StandingsReader, on connection: borrowing Connection
  ) throws(PostgresError) {
    let isWhole = tried.patterns == nil
    let rest = Set(
      found.filter { (isWhole ? $0.value.attempts : $0.value.most) > StandingsReader.little }.keys)
    guard !rest.isEmpty else { return }
    for learner in rest { found[learner] = Found() }
    let rows = try connection.run(reader.bySteps(tried.of(rest)))
    for row in rows { try add(row, by: reader.patterns) }
  }

  /// Measures the patterns of these learners.
  static func measure(
    _ ids: [Int], as moment: Instant, patterns: ReviewPatterns, on connection: borrowing Connection
  ) throws -> Standings {
    let reader = StandingsReader(moment: moment, patterns: patterns)
    let tried = TriedPatterns(learners: ids, patterns: nil)
    let read = try connection.pipeline(reader.statements(of: tried, by: ids))
    var standings = Standings()
    for row in StandingsReader.rows(in: read) { try standings.add(row, by: patterns) }
    try standings.complete(tried, by: reader, on: connection)
    return standings
  }
}

extension Standing {
  /// A standing as it was written; in a box when patterns like it still are.
  fileprivate init(known row: Row, by patterns: borrowing ReviewPatterns) throws(PostgresError) {
    let (pattern, dueOn): (Int, CivilDate?) = (try row[1], try row[12])
    let box: Int? = patterns.boxed.contains(pattern) ? try row[11] : nil
    self.init(
      pattern: pattern,
      measure: Measure(
        ewma: try row[4], hintRate: try row[5], firstTryRate: try row[6], conquest: try row[7],
        attempts: try row[8]),
      weekBefore: try row[9], trend: try row[10],
      box: box.flatMap { box in dueOn.map { LeitnerBox(box: box, dueOn: $0) } },
      measuredAt: try row[3])
  }
}

extension Standing {
  /// A standing by the attempts in a row; nothing where there are none.
  ///
  /// What the row does not tell of the week before and of the box is among the answers, which are all then.
  fileprivate init?(
    _ row: Row, _ answers: [Answer], by patterns: borrowing ReviewPatterns
  ) throws(PostgresError) {
    let pattern: Int = try row[1]
    let latest = patterns.rules.latest
    guard let measure = Measure(answers.prefix(latest), under: patterns.rules) else { return nil }
    let (old, earlier): (Int, String?) = (try row[3], try row[5])
    let before = Measure(
      earlier.map { Answer.answers(in: $0)[...] } ?? answers.suffix(old).prefix(latest),
      under: patterns.rules)?.conquest
    self.init(
      pattern: pattern, measure: measure, weekBefore: before,
      trend: Trend(from: before, to: measure.conquest, under: patterns.rules),
      box: patterns.boxed.contains(pattern)
        ? try Self.box(row, answers, under: patterns.rules) : nil,
      measuredAt: try row[4])
  }

  private static func box(
    _ row: Row, _ answers: [Answer], under rules: borrowing ReviewRules
  ) throws(PostgresError) -> LeitnerBox? {
    let since: String? = try row[6]
    let days = try row.list(7, of: Instant.self).reversed().map { Zone.utc.localDay(of: $0) }
    return LeitnerBox(since.map { Answer.answers(in: $0) } ?? answers, on: days, under: rules)
  }
}
