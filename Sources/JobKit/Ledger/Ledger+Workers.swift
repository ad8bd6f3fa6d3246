internal import LocalTime
internal import Postgres

extension Ledger {
  /// Shows that a daemon is alive, and what it has code for.
  static func showAlive(
    _ name: WorkerName, jobs: [JobName], draining: Bool, at now: Instant,
    on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      """
      INSERT INTO jobkit.worker
        (name, host, process, version, settings_hash, jobs, started_at, seen_at, draining)
      VALUES (\(name.text), \(name.host), \(name.process), \(name.version), \(name.settingsHash),
        \(jobs), \(now), \(now), \(draining))
      ON CONFLICT (name) DO UPDATE SET seen_at = \(now), draining = \(draining),
        settings_hash = excluded.settings_hash
      """)
  }

  /// Forgets a daemon that ends, and those that were not seen for a day.
  static func forget(
    _ name: WorkerName, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      "DELETE FROM jobkit.worker WHERE name = \(name.text) OR seen_at < \(now - .seconds(86_400))")
  }
}
