import Postgres

/// Which patterns of learners are measured: some of them, or whatever each has tried.
struct TriedPatterns {
  /// With a pattern of theirs each, or each once.
  let learners: [Int]

  /// Nothing for whatever they have tried.
  let patterns: [Int]?
}

extension TriedPatterns {
  /// In place of a table, for a lateral join: `learner`, with a `tried` pattern where not all are meant.
  var rows: Statement {
    guard let patterns else { return "unnest(\(learners)) AS learner (user_id)" }
    return "unnest(\(learners), \(patterns)) AS learner (user_id, tried)"
  }

  /// The same as a query, where not all are meant.
  var all: Statement { "SELECT * FROM \(rows)" }

  /// Which attempts of a learner in these rows are meant.
  var areMeant: Statement { patterns == nil ? "true" : "pattern_id = learner.tried" }

  /// The pattern of some attempts of a learner in these rows, and what makes a row of those at each.
  ///
  /// By a pattern that is known nothing is grouped: Postgres would sort by it what is in order.
  var pattern: Statement { patterns == nil ? "attempt.pattern_id" : "learner.tried" }
  var grouping: Statement { patterns == nil ? "GROUP BY pattern_id" : "HAVING count(*) > 0" }

  /// Those that have no standing; nothing where all are meant.
  func notAmong(_ standings: Standings) -> TriedPatterns? {
    guard let patterns else { return nil }
    let others = zip(learners, patterns).filter { learner, pattern in
      !standings.measured(of: learner).contains { $0.pattern == pattern }
    }
    return TriedPatterns(learners: others.map(\.0), patterns: others.map(\.1))
  }

  /// Those of some of the learners.
  func of(_ some: Set<Int>) -> TriedPatterns {
    let places = learners.indices.filter { some.contains(learners[$0]) }
    return TriedPatterns(
      learners: places.map { learners[$0] },
      patterns: patterns.map { patterns in places.map { patterns[$0] } })
  }
}
