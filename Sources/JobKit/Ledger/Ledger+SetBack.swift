internal import LocalTime
internal import Postgres

/// What was written before the clock was set back, and would otherwise hold for as long as that: the lease
/// of a worker that is gone, when a daemon was seen last, when a message is tried again.
extension Ledger {
  /// Whether any of it lies further ahead of `now` than whoever writes it ever goes, in SQL.
  ///
  /// Each is a look at the end of an index, or into a table of a few rows.
  static func reachesTooFar(lease: Duration) -> Statement {
    """
    (EXISTS (SELECT FROM jobkit.part WHERE state = 'running' AND lease_until > now + \(limit(lease)))
      OR EXISTS (SELECT FROM jobkit.worker WHERE seen_at > now + \(limit(sighting)))
      OR EXISTS (SELECT FROM jobkit.message WHERE state IN ('due', 'sending')
        AND not_before > now + \(limit(message))))
    """
  }

  /// Lets it end as soon as if it were written now; whoever is alive extends it as always.
  ///
  /// Returns how many rows that were. Nobody is robbed when `now` has grown old on its way here: what is
  /// written counts from what `clock` shows when it is, and shortens only.
  static func bringBack(
    lease: Duration, at now: Instant, by clock: LedgerClock, on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    try connection.pipeline([
      """
      WITH astray AS (
        SELECT run, number FROM jobkit.part
        WHERE state = 'running' AND lease_until > \(now) + \(limit(lease))
        ORDER BY run, number
        FOR UPDATE SKIP LOCKED
      )
      UPDATE jobkit.part SET lease_until = least(lease_until, \(clock.readingOnTheSpot) + \(interval(lease)))
      FROM astray WHERE (part.run, part.number) = (astray.run, astray.number)
      """,
      """
      WITH astray AS (
        SELECT name FROM jobkit.worker WHERE seen_at > \(now) + \(limit(sighting))
        FOR UPDATE SKIP LOCKED
      )
      UPDATE jobkit.worker SET seen_at = least(seen_at, \(clock.readingOnTheSpot))
      FROM astray WHERE worker.name = astray.name
      """,
      """
      WITH astray AS (
        SELECT id FROM jobkit.message
        WHERE state IN ('due', 'sending') AND not_before > \(now) + \(limit(message))
        FOR UPDATE SKIP LOCKED
      )
      UPDATE jobkit.message
      SET not_before = least(not_before, \(clock.readingOnTheSpot) + \(interval(Teller.lease)))
      FROM astray WHERE message.id = astray.id
      """,
    ]).reduce(0) { $0 + $1.affected }
  }

  /// Twice as far as it ever goes: a step that is smaller is soon over by itself.
  private static func limit(_ reach: Duration) -> Statement { interval(reach * 2) }

  private static func interval(_ duration: Duration) -> Statement {
    "make_interval(secs => \(duration / .seconds(1)))"
  }

  /// A daemon is seen now; those on other hosts may have asked for the time a moment later.
  private static let sighting = Duration.seconds(30)

  /// A message waits a quarter of an hour for its next try, and is sent in less.
  private static let message = SentMessage.longestWait
}
