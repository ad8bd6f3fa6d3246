import JobKit
import LocalTime
import Postgres

extension Standings {
  /// Writes what is not written yet; returns how many patterns of learners changed.
  func save(
    _ tried: TriedPatterns, of learners: [ReviewLearner], on connection: borrowing Connection
  ) throws -> Int {
    try write(tried, of: learners, on: connection) + remove(tried, of: learners, on: connection)
  }

  /// Removes what is known of patterns at which no attempt can be any more.
  private func remove(
    _ tried: TriedPatterns, of learners: [ReviewLearner], on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    let areGone: Statement
    if let gone = tried.notAmong(self) {
      guard !gone.learners.isEmpty else { return 0 }
      areGone = "EXISTS (\(gone.all) WHERE user_id = known.user_id AND tried = pattern_id)"
    } else {
      let known = learners.filter(\.isKnown)
      guard !known.isEmpty else { return 0 }
      let found = entries(of: known)
      let all = TriedPatterns(
        learners: found.map(\.user), patterns: found.map(\.standing.pattern))
      areGone = """
        user_id = ANY(\(known.map(\.id)))
          AND NOT EXISTS (\(all.all) WHERE user_id = known.user_id AND tried = pattern_id)
        """
    }
    return try connection.run("DELETE FROM learning.pattern_conquest AS known WHERE \(areGone)")
      .affected
  }

  private func write(
    _ tried: TriedPatterns, of learners: [ReviewLearner], on connection: borrowing Connection
  ) throws -> Int {
    let added = try addMeasures(of: learners.filter { !$0.isKnown }, on: connection)
    let known = learners.filter(\.isKnown)
    guard !known.isEmpty else { return added }
    let ids = known.map(\.id)
    let areNews = tried.patterns == nil ? Self.differ(fromThoseOf: ids) : "true"
    return try added + update(entries(of: known), which: areNews, of: ids, on: connection)
  }

  private typealias Entry = (user: Int, standing: Standing)

  private func entries(of learners: [ReviewLearner]) -> [Entry] {
    learners.flatMap { learner in
      measured(of: learner.id).map { (user: learner.id, standing: $0) }
    }
  }

  /// Writes the measures of learners who had none: nothing has to be compared, and nothing can conflict.
  private func addMeasures(
    of learners: [ReviewLearner], on connection: borrowing Connection
  ) throws -> Int {
    guard learners.contains(where: { !measured(of: $0.id).isEmpty }) else { return 0 }
    return try connection.copy(
      into: "learning.pattern_conquest", columns: ["user_id", "pattern_id"] + Self.names
    ) { rows in
      for learner in learners {
        for standing in measured(of: learner.id) {
          try rows.write { $0.append(standing, of: learner.id) }
        }
      }
    }
  }

  /// Which of all measures are not known as they are: nearly none, where those with new answers nearly all are.
  private static func differ(fromThoseOf ids: [Int]) -> Statement {
    """
    NOT EXISTS (
      SELECT FROM learning.pattern_conquest AS known
      WHERE known.user_id = ANY(\(ids)) AND known.user_id = measured.user_id
        AND known.pattern_id = measured.pattern_id
        AND (\(values("known"))) IS NOT DISTINCT FROM (\(values("measured"))))
    """
  }

  private func update(
    _ entries: [Entry], which areNews: Statement, of ids: [Int], on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    guard !entries.isEmpty else { return 0 }
    // A conflict would lock, and so write, even what has not changed; and what has, twice. A full join is by hash or
    // merge whatever is expected of `changed`, where others can come to compare each with each.
    let row = try connection.run(
      """
      WITH measured AS MATERIALIZED (
        SELECT * FROM \(Self.rows(of: entries)) AS measured (\(Self.columns)) WHERE \(areNews)
      ), changed AS (
        UPDATE learning.pattern_conquest AS known SET (\(Self.changing)) = ROW (\(Self.values("measured")))
        FROM measured
        WHERE known.user_id = ANY(\(ids)) AND known.user_id = measured.user_id
          AND known.pattern_id = measured.pattern_id
          AND (\(Self.values("known"))) IS DISTINCT FROM (\(Self.values("measured")))
        RETURNING known.user_id, known.pattern_id
      ), rest AS MATERIALIZED (
        SELECT measured.* FROM measured FULL JOIN changed USING (user_id, pattern_id) WHERE changed.user_id IS NULL
      ), added AS (
        INSERT INTO learning.pattern_conquest (\(Self.columns))
        SELECT * FROM rest WHERE NOT EXISTS (
          SELECT FROM learning.pattern_conquest AS known
          WHERE known.user_id = rest.user_id AND known.pattern_id = rest.pattern_id)
        ON CONFLICT (user_id, pattern_id) DO UPDATE
        SET (\(Self.changing)) = (\(Self.values("excluded")))
        RETURNING 1
      )
      SELECT (SELECT count(*) FROM changed) + (SELECT count(*) FROM added)
      """
    ).only
    return try row[0]
  }

  /// The entries in place of a table, their columns in the order of ``columns``.
  private static func rows(of entries: [Entry]) -> Statement {
    let standings = entries.map(\.standing)
    return """
      unnest(\(entries.map(\.user)), \(standings.map(\.pattern)), \(standings.map(\.measure.ewma)),
        \(standings.map(\.measure.hintRate)), \(standings.map(\.measure.firstTryRate)),
        \(standings.map(\.measure.conquest)), \(standings.map(\.weekBefore)), \(standings.map(\.trend)),
        \(standings.map(\.measure.attempts)), \(standings.map { $0.box?.box }),
        \(standings.map { $0.box?.dueOn }), \(standings.map(\.measuredAt)))
      """
  }

  private static let names = [
    "ewma", "hint_rate", "first_try_rate", "conquest", "week_before", "trend", "attempts", "box",
    "due_on", "measured_at",
  ]

  private static var changing: Statement {
    Statement(verbatim: names.joined(separator: ", "))
  }

  private static var columns: Statement { "user_id, pattern_id, \(changing)" }

  private static func values(_ table: String) -> Statement {
    Statement(verbatim: names.map { "\(table).\($0)" }.joined(separator: ", "))
  }
}

extension CopyRow {
  /// Adds the columns of a standing.
  fileprivate mutating func append(_ standing: Standing, of learner: Int) {
    append(learner)
    append(Int32(standing.pattern))
    append(standing.measure.ewma)
    append(standing.measure.hintRate)
    append(standing.measure.firstTryRate)
    append(standing.measure.conquest)
    append(standing.weekBefore)
    append(standing.trend)
    append(Int32(standing.measure.attempts))
    append(standing.box.map { Int16($0.box) })
    append(standing.box?.dueOn)
    append(standing.measuredAt)
  }
}
