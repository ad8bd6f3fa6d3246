internal import Config
package import JobKit
public import LocalTime
public import Postgres

extension Ledger {
  /// Shows that a daemon is alive, what it has code for and how far it has come; returns how all jobs
  /// stand.
  ///
  /// Both in one statement: an idle daemon asks as little as can be.
  @discardableResult
  package static func showAlive(
    _ name: DaemonID, jobs: [JobName], ready: Bool = false, draining: Bool, byHand: Bool = false,
    isFirst: Bool = false, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> HealthSnapshot {
    let present: Statement =
      byHand ? "" : ", \(beingPresent(as: name, at: now))"
    let statement: Statement = """
      WITH shown AS (
        INSERT INTO jobkit.daemon
          (name, host, process, version, settings_hash, jobs, started_at, seen_at, draining,
            ready_at, by_hand, schemas)
        VALUES (\(name.text), \(name.host), \(name.process), \(name.version), \(name.settingsHash),
          \(jobs), \(now), \(now), \(draining), CASE WHEN \(ready) THEN \(now) END, \(byHand),
          \(name.schemasKnown))
        ON CONFLICT (name) DO UPDATE SET seen_at = \(now), draining = \(draining),
          settings_hash = excluded.settings_hash,
          ready_at = coalesce(daemon.ready_at, excluded.ready_at)
      )\(present)
      \(surveying(
        by: name.text, havingCodeFor: jobs, newest: isFirst ? mostRows : fewRows, at: now))
      """
    // The first looks at many rows: the server would take seconds to compile it, but in a transaction of ours.
    let rows =
      isFirst
      ? try connection.transaction { connection throws(PostgresError) in
        try connection.run(statement)
      } : try connection.run(statement)
    return try HealthSnapshot(rows, byDaemon: true, isReady: ready, isDraining: draining, at: now)
  }

  /// Forgets a daemon that ends, and those that were not seen for a day.
  package static func forget(
    _ name: DaemonID, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      """
      WITH gone AS (
        DELETE FROM jobkit.daemon
        WHERE name = \(name.text) OR seen_at < \(now - .seconds(86_400))
        RETURNING name, by_hand
      )
      -- An absence begins when the last daemon is gone, not when it was seen before.
      UPDATE jobkit.presence SET seen_at = \(now)
      WHERE EXISTS (SELECT FROM gone WHERE name = \(name.text) AND NOT by_hand)
      """)
  }
}

extension DaemonID {
  /// Which versions of the schemas its program knows, as the ledger keeps it.
  fileprivate var schemasKnown: JSONText {
    let members = schemas.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .integer($0.value)) }
    return JSONText(JSON.object(members).compact)
  }
}

extension Ledger {
  /// Every daemon that has not ended in good order, the oldest first; also those that fell silent.
  public static func daemons(
    on connection: borrowing Connection
  ) throws(PostgresError) -> [DaemonRecord] {
    let rows = try connection.run("SELECT * FROM jobkit.daemon ORDER BY started_at, name")
    var daemons: [DaemonRecord] = []
    for row in rows { daemons.append(try DaemonRecord(row)) }
    return daemons
  }

  /// When any daemon was there last; nothing in a ledger that none has worked with since it notes that.
  public static func lastSeen(
    on connection: borrowing Connection
  ) throws(PostgresError) -> Instant? {
    try connection.run("SELECT seen_at FROM jobkit.presence").first?[0]
  }

  /// Asks daemons to stop at their next chunks and end; who asked first is remembered.
  ///
  /// Each hears of it with its next look at the ledger, about a second later. A run by hand is not asked.
  public static func askToDrain(
    _ names: [String], by author: String, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      """
      UPDATE jobkit.daemon SET drain_asked_at = \(now), drain_asked_by = \(author)
      WHERE name = ANY(\(names)) AND NOT by_hand AND drain_asked_at IS NULL
      """)
  }
}
