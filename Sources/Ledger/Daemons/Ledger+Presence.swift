internal import LocalTime
internal import Postgres

/// When any daemon was there, and from when until when none was.
extension Ledger {
  /// Notes that a daemon is there; when none was for some time, also from when until when that was.
  ///
  /// A daemon that was there for a moment only, as in a crash loop, has not ended an outage: the next one ends it.
  /// Another that is alive may be of a version that notes nothing.
  static func beingPresent(as name: DaemonID, at now: Instant) -> Statement {
    let gone = now - DaemonRecord.aliveFor
    return """
      held AS (
        -- The row is all daemons' own: nobody waits for who holds it, and the next pass notes the same.
        SELECT is_only, seen_at FROM jobkit.presence FOR UPDATE SKIP LOCKED
      ), present AS (
        UPDATE jobkit.presence SET seen_at = \(now) FROM held WHERE presence.is_only = held.is_only
      ), begun AS (
        INSERT INTO jobkit.presence (seen_at)
        SELECT \(now)::timestamptz WHERE NOT EXISTS (SELECT FROM jobkit.presence)
        ON CONFLICT DO NOTHING
        RETURNING is_only
      ), absent AS (
        SELECT seen_at AS since FROM held
        WHERE seen_at < \(gone) AND NOT EXISTS (
          SELECT FROM jobkit.daemon AS other
          WHERE other.name <> \(name.text) AND NOT by_hand AND other.seen_at > \(gone))
        UNION ALL
        SELECT trace FROM begun CROSS JOIN (\(latestTrace(besides: name))) AS latest
        WHERE trace < \(gone)
      ), \(notingOutage(at: now))
      """
  }

  /// Lengthens an outage of which nobody was told and that a daemon has ended for a moment only; or notes a new one.
  private static func notingOutage(at now: Instant) -> Statement {
    """
    lengthened AS (
      UPDATE jobkit.outage SET ended_at = \(now) FROM absent
      WHERE id = (SELECT max(id) FROM jobkit.outage) AND told_at IS NULL
        AND since BETWEEN ended_at AND ended_at + make_interval(secs => \(outageWait / .seconds(1)))
        AND back_at > \(now - longestFlapping)
      RETURNING id
    ), noted AS (
      INSERT INTO jobkit.outage (began_at, back_at, ended_at)
      SELECT since, \(now), \(now) FROM absent WHERE NOT EXISTS (SELECT FROM lengthened)
    )
    """
  }

  /// When a daemon left its latest trace in a ledger that has not noted presence before, in SQL: seen, or by what
  /// it decided.
  ///
  /// What this daemon has decided already are the newest rows, and few: it has only just begun.
  private static func latestTrace(besides name: DaemonID) -> Statement {
    """
    SELECT greatest(
      (SELECT max(seen_at) FROM jobkit.daemon WHERE NOT by_hand AND name <> \(name.text)),
      (SELECT decided_at FROM jobkit.run
        WHERE trigger = 'schedule' AND decided_by <> \(name.text)
        ORDER BY id DESC LIMIT 1)) AS trace
    """
  }
}
