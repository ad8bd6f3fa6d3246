import LocalTime
import Postgres

extension Ledger {
  /// Hands up to `limit` due parts to `worker`, those of the highest priority and the longest wait
  /// first; an empty list when nothing is due.
  ///
  /// Two workers may ask at once: each skips the rows that the other has locked. A run that must be
  /// alone waits for the one that goes on and for those before it; were two to open at one instant
  /// all the same, the unique index refuses the second.
  static func claim(
    _ limit: Int, of jobs: [JobName], onlyOn run: Int? = nil, for worker: WorkerName,
    lease: Duration, at now: Instant,
    on connection: borrowing Connection
  ) throws(PostgresError) -> [ClaimedPart] {
    let rows = try connection.run(
      """
      WITH due AS (
        SELECT run, number FROM jobkit.part
        WHERE state = 'due' AND not_before <= \(now) AND job = ANY(\(jobs))
          AND coalesce(run = \(run), true) AND NOT EXISTS (
          SELECT FROM jobkit.run AS other
          WHERE other.job = part.job AND other.exclusive AND (
            other.state = 'running' AND other.id <> part.run
            OR other.state = 'due' AND other.id < part.run))
        ORDER BY priority DESC, not_before, run, number
        LIMIT \(limit)
        FOR UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE jobkit.part
        SET state = 'running', worker = \(worker.text), epoch = epoch + 1,
          lease_until = \(now + lease), started_at = coalesce(started_at, \(now))
        FROM due WHERE (part.run, part.number) = (due.run, due.number)
        RETURNING part.*
      ), opened AS (
        UPDATE jobkit.run
        SET state = 'running', started_at = \(now), version = \(worker.version),
          settings_hash = \(worker.settingsHash)
        WHERE state = 'due' AND id IN (SELECT run FROM claimed)
      )
      SELECT claimed.run, number, epoch, attempts, interruptions, cursor, done, total,
        counter_names, counter_values, run.job, scheduled_for, trigger, parts,
        argument_names, argument_values
      FROM claimed JOIN jobkit.run ON run.id = claimed.run
      ORDER BY claimed.priority DESC, not_before, claimed.run, number
      """)
    var parts: [ClaimedPart] = []
    for row in rows { parts.append(try ClaimedPart(row)) }
    return parts
  }
}
