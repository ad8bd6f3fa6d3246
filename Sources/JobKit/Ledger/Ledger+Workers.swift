internal import LocalTime
internal import Postgres

extension Ledger {
  /// Shows that a daemon is alive, and what it has code for; returns how all jobs stand.
  ///
  /// Both in one statement: an idle daemon asks as little as can be.
  @discardableResult
  static func showAlive(
    _ name: WorkerName, jobs: [JobName], draining: Bool, isFirst: Bool = false, at now: Instant,
    on connection: borrowing Connection
  ) throws(PostgresError) -> Survey {
    let rows = try connection.run(
      """
      WITH shown AS (
        INSERT INTO jobkit.worker
          (name, host, process, version, settings_hash, jobs, started_at, seen_at, draining)
        VALUES (\(name.text), \(name.host), \(name.process), \(name.version), \(name.settingsHash),
          \(jobs), \(now), \(now), \(draining))
        ON CONFLICT (name) DO UPDATE SET seen_at = \(now), draining = \(draining),
          settings_hash = excluded.settings_hash
      )
      \(surveying(
        by: name.text, havingCodeFor: jobs, newest: isFirst ? mostRows : fewRows, at: now))
      """)
    return try Survey(rows, byDaemon: true, isDraining: draining, at: now)
  }

  /// Forgets a daemon that ends, and those that were not seen for a day.
  static func forget(
    _ name: WorkerName, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      "DELETE FROM jobkit.worker WHERE name = \(name.text) OR seen_at < \(now - .seconds(86_400))")
  }
}
