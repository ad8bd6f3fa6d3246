import JobKit
import LocalTime
import Postgres

/// Rows of the app that cannot be: a job leaves them out, counts them, and says why.
struct Quarantine {
  private var users: [Int] = []
  private var sources: [String] = []
  private var keys: [String] = []
  private var reasons: [String] = []

  /// Puts a row aside: of the learner, in the table `source`, found there by `key`.
  mutating func put(_ user: Int, source: String, key: String, because reason: String) {
    users.append(user)
    sources.append(source)
    keys.append(key)
    reasons.append(reason)
  }

  /// Writes down what was put aside; returns how many of them nobody knew of yet.
  func save(
    by job: JobName, at moment: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    guard !users.isEmpty else { return 0 }
    return try connection.run(
      """
      INSERT INTO learning.quarantine (user_id, source, row_key, reason, found_at, found_by)
      SELECT DISTINCT ON (user_id, source, row_key) user_id, source, row_key, reason, \(moment)::timestamptz, \(job)
      FROM unnest(\(users), \(sources), \(keys), \(reasons)) AS bad (user_id, source, row_key, reason)
      ON CONFLICT (user_id, source, row_key) DO NOTHING
      """
    ).affected
  }
}
