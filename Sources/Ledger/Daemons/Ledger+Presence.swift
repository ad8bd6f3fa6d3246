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
      ), \(notingOutage(endedBy: name, at: now))
      """
  }

  /// Lengthens an outage of which nobody was told and that a daemon has ended for a moment only; or notes a new one.
  ///
  /// The time in which a daemon was back and decided ticks is taken off an outage that is lengthened.
  private static func notingOutage(endedBy name: DaemonID, at now: Instant) -> Statement {
    """
    lengthened AS (
      UPDATE jobkit.outage SET ended_at = \(now),
        interrupted_seconds = interrupted_seconds + CASE
          WHEN decided_at >= ended_at - make_interval(secs => \(outageWait / .seconds(1)))
          THEN extract(epoch FROM least(greatest(since, decided_at), \(now)) - ended_at) ELSE 0 END,
        had_daemon = had_daemon OR \(wasThere(name, at: "began_at"))
      FROM absent LEFT JOIN (\(latestDecision(before: now))) AS latest ON true
      WHERE id = (SELECT max(id) FROM jobkit.outage) AND told_at IS NULL
        AND since BETWEEN ended_at AND ended_at + make_interval(secs => \(outageWait / .seconds(1)))
        AND back_at > \(now - longestFlapping)
      RETURNING id
    ), noted AS (
      INSERT INTO jobkit.outage (began_at, back_at, ended_at, had_daemon)
      SELECT since, \(now), \(now), \(wasThere(name, at: "since"))
      FROM absent WHERE NOT EXISTS (SELECT FROM lengthened)
    )
    """
  }

  /// Whether a daemon that shows itself now had done so before `moment`, in SQL.
  ///
  /// It was not away then, but stopped or cut off from the database, or the clock was set forward.
  private static func wasThere(_ name: DaemonID, at moment: Statement) -> Statement {
    "EXISTS (SELECT FROM jobkit.daemon WHERE daemon.name = \(name.text) AND started_at <= \(moment))"
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

  /// When a tick was decided last before a daemon was back, in SQL: what that one has decided is half a minute old at
  /// most.
  private static func latestDecision(before now: Instant) -> Statement {
    """
    SELECT decided_at FROM jobkit.run
    WHERE trigger = 'schedule' AND decided_at < \(now - outageWait) ORDER BY id DESC LIMIT 1
    """
  }
}
