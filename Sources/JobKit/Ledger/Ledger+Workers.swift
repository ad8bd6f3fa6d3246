internal import Config
internal import LocalTime
internal import Postgres

extension Ledger {
  /// Shows that a daemon is alive, what it has code for and how far it has come; returns how all jobs
  /// stand.
  ///
  /// Both in one statement: an idle daemon asks as little as can be.
  @discardableResult
  static func showAlive(
    _ name: WorkerName, jobs: [JobName], ready: Bool = false, draining: Bool, byHand: Bool = false,
    isFirst: Bool = false, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Survey {
    let rows = try connection.run(
      """
      WITH shown AS (
        INSERT INTO jobkit.worker
          (name, host, process, version, settings_hash, jobs, started_at, seen_at, draining,
            ready_at, by_hand, schemas)
        VALUES (\(name.text), \(name.host), \(name.process), \(name.version), \(name.settingsHash),
          \(jobs), \(now), \(now), \(draining), CASE WHEN \(ready) THEN \(now) END, \(byHand),
          \(name.schemasKnown))
        ON CONFLICT (name) DO UPDATE SET seen_at = \(now), draining = \(draining),
          settings_hash = excluded.settings_hash,
          ready_at = coalesce(worker.ready_at, excluded.ready_at)
      )
      \(surveying(
        by: name.text, havingCodeFor: jobs, newest: isFirst ? mostRows : fewRows, at: now))
      """)
    return try Survey(rows, byDaemon: true, isReady: ready, isDraining: draining, at: now)
  }

  /// Forgets a daemon that ends, and those that were not seen for a day.
  static func forget(
    _ name: WorkerName, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      "DELETE FROM jobkit.worker WHERE name = \(name.text) OR seen_at < \(now - .seconds(86_400))")
  }
}

extension WorkerName {
  /// Which versions of the schemas its program knows, as the ledger keeps it.
  fileprivate var schemasKnown: JSONText {
    let members = schemas.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .integer($0.value)) }
    return JSONText(JSON.object(members).compact)
  }
}
