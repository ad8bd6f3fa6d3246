package import JobKit
package import LocalTime
package import Postgres

extension Ledger {
  /// Asks every run of a job that goes on to stop at its next chunk.
  package static func askingToCancel(
    _ job: JobName, by author: String, at now: Instant
  ) -> Statement {
    """
    UPDATE jobkit.run SET cancel_asked_at = \(now), cancel_asked_by = \(author)
    WHERE job = \(job) AND state = 'running' AND cancel_asked_at IS NULL
    """
  }

  /// Ends the parts of cancelled runs that nobody works at; those that run are asked by their heartbeat.
  ///
  /// One that somebody has locked is let alone until the next pass: a worker that is frozen in a chunk would
  /// otherwise hold up every maintenance loop, and with it the leases of all parts.
  package static func endCancelled(
    at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    try connection.run(
      """
      WITH idle AS (
        SELECT part.run, part.number FROM jobkit.part JOIN jobkit.run ON run.id = part.run
        WHERE cancel_asked_at IS NOT NULL AND run.state IN ('due', 'held', 'running')
          -- Nobody may be left who has code for a part whose worker is lost.
          AND (part.state = 'due' OR part.state = 'running' AND lease_until < \(now))
        ORDER BY part.run, part.number
        FOR UPDATE OF part SKIP LOCKED
      ), ended AS (
        UPDATE jobkit.part
        SET state = 'cancelled', finished_at = \(now), daemon = NULL, lease_until = NULL, slot = NULL,
          \(losingDaemon(at: "\(now)"))
        FROM idle WHERE (part.run, part.number) = (idle.run, idle.number)
        RETURNING part.run
      ), counted AS (
        SELECT run, count(*)::integer AS ended FROM ended GROUP BY run
      )
      UPDATE jobkit.run
      SET \(closing("ended", failed: "0", cancelled: "ended", at: "\(now)"))
      FROM counted WHERE id = counted.run
      """
    ).affected
  }

  /// The runs that it is too late to start, the oldest of them.
  private static func oldestLate(of jobs: [JobName], at now: Instant) -> Statement {
    """
    SELECT id FROM jobkit.run WHERE state = 'due' AND start_before < \(now) AND job = ANY(\(jobs))
    ORDER BY start_before LIMIT 1000
    """
  }

  /// Writes off the runs of `jobs` that nobody started in time, a thousand at once; tells of which jobs they
  /// were.
  ///
  /// Only those that this program has code for: another's may be about to start.
  /// The parts are locked before their run, in the order of a claim; a run of which somebody is just
  /// claiming a part is let alone.
  package static func missLate(
    _ jobs: [JobName], at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> [JobName] {
    let rows = try connection.run(
      """
      WITH late AS (
        SELECT part.run, run.parts FROM jobkit.part JOIN jobkit.run ON run.id = part.run
        WHERE run.state = 'due' AND start_before < \(now) AND run.job = ANY(\(jobs))
          AND run.id = ANY(ARRAY(\(oldestLate(of: jobs, at: now))))
        FOR UPDATE OF part SKIP LOCKED
      ), missed AS (
        UPDATE jobkit.run
        SET state = 'missed', parts_left = 0, finished_at = \(now),
          -- Where one of the two must be alone, it would have waited however many workers are free.
          reason = CASE WHEN EXISTS (
            SELECT FROM jobkit.run AS other
            WHERE other.job = run.job AND other.state = 'running' AND (other.exclusive OR run.exclusive)
          ) THEN 'an earlier run was not over in time' ELSE 'no worker was free in time' END
        WHERE state = 'due'
          AND id IN (SELECT run FROM late GROUP BY run HAVING count(*) = min(parts))
        RETURNING id, job
      ), noticed AS (
        \(noticing("'missed', job, id, 1 FROM missed", at: "\(now)"))
      ), gone AS (
        DELETE FROM jobkit.part USING missed WHERE part.run = missed.id
      )
      SELECT job FROM missed ORDER BY id
      """)
    var missed: [JobName] = []
    for row in rows { missed.append(try row["job"]) }
    return missed
  }
}
