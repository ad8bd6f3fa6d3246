import JobKit
import LocalTime
import Postgres

extension Standings {
  /// Writes what is not written yet; returns how many patterns of learners changed.
  func save(of ids: [Int], on connection: borrowing Connection) throws(PostgresError) -> Int {
    let all = ofLearner.sorted { $0.key < $1.key }.flatMap { entry in
      entry.value.map { (user: entry.key, standing: $0) }
    }
    let standings = all.map(\.standing)
    // Compared before the insert: a conflict would lock, and so write, even what has not changed.
    return try connection.run(
      """
      INSERT INTO learning.pattern_conquest AS saved (\(Self.columns))
      SELECT measured.* FROM unnest(\(all.map(\.user)), \(standings.map(\.pattern)),
        \(standings.map(\.measure.ewma)), \(standings.map(\.measure.hintRate)),
        \(standings.map(\.measure.firstTryRate)), \(standings.map(\.measure.conquest)),
        \(standings.map(\.weekBefore)), \(standings.map(\.trend)),
        \(standings.map(\.measure.attempts)), \(standings.map { $0.box?.box }),
        \(standings.map { $0.box?.dueOn }), \(standings.map(\.measuredAt))
      ) AS measured (\(Self.columns))
      LEFT JOIN learning.pattern_conquest AS known
        ON known.user_id = ANY(\(ids)) AND known.user_id = measured.user_id
        AND known.pattern_id = measured.pattern_id
      WHERE (\(Self.values("known"))) IS DISTINCT FROM (\(Self.values("measured")))
      ON CONFLICT (user_id, pattern_id) DO UPDATE
      SET (\(Self.changing)) = (\(Self.values("excluded")))
      """
    ).affected
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
