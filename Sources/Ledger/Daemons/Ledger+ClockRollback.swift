package import JobKit
package import LocalTime
package import Postgres

/// What was written before the clock was set back, and would otherwise hold for as long as that: the lease
/// of a worker that is gone, when a part may start, when a daemon was seen last, when a message is tried again.
extension Ledger {
  /// Whether any of it lies further ahead of `now` than whoever writes it ever goes, in SQL.
  ///
  /// How far the start of a part goes is for its job to say, in `delays`. Each is a look at the end of an
  /// index, through the index of what is due, or into a table of a few rows.
  static func reachesTooFar(lease: Duration, delays: [JobName: Duration]) -> Statement {
    """
    (EXISTS (SELECT FROM jobkit.part WHERE state = 'running' AND lease_until > now + \(limit(lease)))
      OR EXISTS (SELECT FROM jobkit.part JOIN \(table(of: delays)) USING (job)
        -- The index has the moments and not the jobs: the shortest delay leaves few parts to look up.
        WHERE state = 'due' AND not_before > now + \(limit(delays.values.min() ?? .zero))
          AND not_before > now + delay * interval '2 seconds')
      OR EXISTS (SELECT FROM jobkit.daemon WHERE seen_at > now + \(limit(sighting)))
      OR EXISTS (SELECT FROM jobkit.message WHERE state IN ('due', 'sending')
        AND not_before > now + \(limit(message))))
    """
  }

  /// Lets all but the starts of parts end as soon as if it were written now; whoever is alive extends it as
  /// always.
  ///
  /// Ticks that wait for other jobs are those of `jobs`. Returns how many rows that were. Nobody is robbed when `now` has grown old on its way here: what is
  /// written counts from what `clock` shows when it is, and shortens only.
  package static func bringBack(
    lease: Duration, waitsOf jobs: [ScheduledJob] = [], at now: Instant, by clock: LedgerClock,
    on connection: borrowing Connection
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
        SELECT name FROM jobkit.daemon WHERE seen_at > \(now) + \(limit(sighting))
        FOR UPDATE SKIP LOCKED
      )
      UPDATE jobkit.daemon SET seen_at = least(seen_at, \(clock.readingOnTheSpot))
      FROM astray WHERE daemon.name = astray.name
      """,
      bringingMessagesBack(at: now, by: clock),
      bringingWaitsBack(of: jobs, at: clock.readingOnTheSpot),
    ]).reduce(0) { $0 + $1.affected }
  }

  /// How many starts of parts are brought back at once.
  package static let batch = 1000

  /// Lets parts start whose start lies too far ahead, a batch of them in the order of their runs; returns how
  /// many.
  ///
  /// A part that never failed may start now, at one instant for the whole batch: so what waited in an order
  /// goes on waiting in it. One that failed waits as long as it ever does: a daemon whose settings are older than those of the one
  /// that put it off would otherwise use up its tries at once.
  package static func bringStartsBack(
    delays: [JobName: Duration], limit most: Int = batch, by clock: LedgerClock,
    on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    try connection.run(
      """
      WITH moment AS MATERIALIZED (SELECT \(clock.readingOnTheSpot) AS now), astray AS (
        SELECT run, number, delay, now
        FROM moment CROSS JOIN jobkit.part JOIN \(table(of: delays)) USING (job)
        WHERE state = 'due' AND not_before > now + \(limit(delays.values.min() ?? .zero))
          AND not_before > now + delay * interval '2 seconds'
        ORDER BY run, number
        LIMIT \(verbatim: "\(most)")
        FOR UPDATE OF part SKIP LOCKED
      )
      UPDATE jobkit.part
      SET not_before = least(not_before,
        now + CASE WHEN failures > 0 THEN delay ELSE 0 END * interval '1 second')
      FROM astray WHERE (part.run, part.number) = (astray.run, astray.number)
      """
    ).affected
  }

  /// Lets the ticks wait for other jobs as long as if they were decided at `moment` which a clock that was ahead has
  /// decided.
  package static func bringingWaitsBack(
    of jobs: [ScheduledJob], at moment: Statement
  ) -> Statement {
    let limits = jobs.map { ($0.delay + $0.after.limit) / .seconds(1) }
    return """
      WITH astray AS (
        SELECT id, \(moment)::timestamptz + limit_seconds * interval '1 second' AS latest
        FROM jobkit.run JOIN unnest(\(jobs.map(\.name)), \(limits)) AS told (job, limit_seconds) USING (job)
        WHERE \(waitsForJobs) AND decided_at > \(moment)
        ORDER BY id
        FOR UPDATE OF run SKIP LOCKED
      )
      UPDATE jobkit.run SET after_until = least(after_until, latest) FROM astray WHERE run.id = astray.id
      """
  }

  private static func bringingMessagesBack(at now: Instant, by clock: LedgerClock) -> Statement {
    """
    WITH astray AS (
      SELECT id FROM jobkit.message
      WHERE state IN ('due', 'sending') AND not_before > \(now) + \(limit(message))
      FOR UPDATE SKIP LOCKED
    )
    UPDATE jobkit.message
    SET not_before = least(not_before, \(clock.readingOnTheSpot) + \(interval(SentMessage.lease)))
    FROM astray WHERE message.id = astray.id
    """
  }

  private static func table(of delays: [JobName: Duration]) -> Statement {
    let seconds = delays.values.map { $0 / .seconds(1) }
    return "unnest(\(Array(delays.keys)), \(seconds)) AS known (job, delay)"
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

extension Policies {
  /// How far ahead of the clock the start of a part is ever put: by the jitter when it is written down, by a
  /// wait when it failed.
  package var longestDelay: Duration { max(jitter, retry.longest) }
}
