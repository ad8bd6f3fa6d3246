internal import Config
package import JobKit
package import LocalTime
package import Postgres

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

  /// Notes that a daemon is there; when none was for some time, also from when until when that was.
  ///
  /// Another that is alive may be of a version that notes nothing.
  private static func beingPresent(as name: DaemonID, at now: Instant) -> Statement {
    let gone = now - DaemonRecord.aliveFor
    let isBack: Statement = """
      presence.seen_at < \(gone) AND NOT EXISTS (
        SELECT FROM jobkit.daemon AS other
        WHERE other.name <> \(name.text) AND NOT by_hand AND other.seen_at > \(gone))
      """
    // The row is all daemons' own: nobody waits for who holds it, and the next pass notes the same.
    return """
      present AS (
      UPDATE jobkit.presence SET seen_at = \(now),
        absent_from = CASE WHEN \(isBack) THEN presence.seen_at ELSE presence.absent_from END,
        absent_until = CASE WHEN \(isBack) THEN \(now) ELSE presence.absent_until END
      WHERE is_only = (SELECT is_only FROM jobkit.presence FOR UPDATE SKIP LOCKED)
      ), begun AS (
        INSERT INTO jobkit.presence (seen_at, absent_from, absent_until)
        SELECT \(now)::timestamptz, before.seen_at,
          CASE WHEN before.seen_at IS NOT NULL THEN \(now)::timestamptz END
        FROM (\(latestTrace(before: gone, besides: name))) AS before
        WHERE NOT EXISTS (SELECT FROM jobkit.presence)
        ON CONFLICT DO NOTHING
      )
      """
  }

  /// When a daemon left its latest trace in a ledger that has not noted presence before, in SQL: seen, or by what
  /// it decided; nothing when that is no absence.
  ///
  /// What this daemon has decided already are the newest rows, and few: it has only just begun.
  private static func latestTrace(before gone: Instant, besides name: DaemonID) -> Statement {
    """
    SELECT CASE WHEN trace < \(gone)::timestamptz THEN trace END AS seen_at
    FROM (
      SELECT greatest(
        (SELECT max(seen_at) FROM jobkit.daemon WHERE NOT by_hand AND name <> \(name.text)),
        (SELECT decided_at FROM jobkit.run
          WHERE trigger = 'schedule' AND decided_by <> \(name.text)
          ORDER BY id DESC LIMIT 1)) AS trace
    ) AS traces
    """
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
