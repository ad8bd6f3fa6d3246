import JobKit
import LocalTime
import Postgres

/// How learners stand with the patterns that they have tried, as of an instant.
struct Standings {
  /// What was read and measured of learners, in the order in which rows came: those of a learner follow each other.
  private var found: [Found] = []

  /// Where each learner is among them.
  private var places: [Int: Int] = [:]

  /// What is known of each learner's other patterns.
  private var known: [Int: [Standing]] = [:]

  private struct Found {
    let learner: Int
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
  func measured(of learner: Int) -> [Standing] {
    places[learner].map { found[$0].standings } ?? []
  }

  /// With all patterns.
  func all(of learner: Int) -> [Standing] {
    guard let others = known[learner] else { return measured(of: learner) }
    return measured(of: learner) + others
  }

  /// Measures a pattern of a learner, of which a row of ``StandingsReader`` tells, unless it is known.
  mutating func add(_ row: Row, by patterns: borrowing ReviewPatterns) throws(PostgresError) {
    let learner: Int = try row[0]
    guard let answers = try row[2, as: Answers?.self] else {
      let standing = try Standing(known: row, by: patterns)
      // A pattern that is no more, and its attempts with it, is not to be reviewed.
      if patterns.codes[standing.pattern] != nil { known[learner, default: []].append(standing) }
      return
    }
    guard let standing = try Standing(row, answers, by: patterns) else { return }
    found[place(of: learner)].add(standing, by: answers.count)
  }

  private mutating func place(of learner: Int) -> Int {
    if let last = found.last, last.learner == learner { return found.count - 1 }
    if let place = places[learner] { return place }
    places[learner] = found.count
    found.append(Found(learner: learner))
    return found.count - 1
  }

  /// Measures anew of whom not all was read, because it is much.
  mutating func complete(
    _ tried: TriedPatterns, by reader: StandingsReader, on connection: borrowing Connection
  ) throws(PostgresError) {
    let isWhole = tried.patterns == nil
    let rest = found.indices.filter {
      (isWhole ? found[$0].attempts : found[$0].most) > StandingsReader.little
    }
    guard !rest.isEmpty else { return }
    let learners = Set(rest.map { found[$0].learner })
    for place in rest { found[place] = Found(learner: found[place].learner) }
    let rows = try connection.run(reader.bySteps(tried.of(learners)))
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
    _ row: Row, _ answers: Answers, by patterns: borrowing ReviewPatterns
  ) throws(PostgresError) {
    let pattern: Int = try row[1]
    let latest = patterns.rules.latest
    guard let measure = Measure(answers.suffix(latest), under: patterns.rules) else { return nil }
    let old: Int = try row[3]
    let earlier = try row[5, as: Answers?.self] ?? answers.prefix(old)
    let before = Measure(earlier.suffix(latest), under: patterns.rules)?.conquest
    self.init(
      pattern: pattern, measure: measure, weekBefore: before,
      trend: Trend(from: before, to: measure.conquest, under: patterns.rules),
      box: patterns.boxed.contains(pattern)
        ? try Self.box(row, answers, under: patterns.rules) : nil,
      measuredAt: try row[4])
  }

  private static func box(
    _ row: Row, _ answers: Answers, under rules: borrowing ReviewRules
  ) throws(PostgresError) -> LeitnerBox? {
    let since = try row[6, as: Answers?.self] ?? answers
    let days = try row.list(7, of: Instant.self).map { Zone.utc.localDay(of: $0) }
    return LeitnerBox(since, on: days, under: rules)
  }
}
