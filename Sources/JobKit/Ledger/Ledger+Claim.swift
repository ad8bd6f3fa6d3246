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
    lease: Duration, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> [ClaimedPart] {
    let rows: Rows
    do throws(PostgresError) {
      rows = try connection.run(
        claiming(limit, of: jobs, onlyOn: run, for: worker, lease: lease, at: now))
    } catch {
      guard error.report?.constraint == "one_exclusive_run_a_job" else { throw error }
      return []
    }
    var parts: [ClaimedPart] = []
    for row in rows { parts.append(try ClaimedPart(row)) }
    return parts
  }

  private static func claiming(
    _ limit: Int, of jobs: [JobName], onlyOn run: Int?, for worker: WorkerName, lease: Duration,
    at now: Instant
  ) -> Statement {
    """
    WITH due AS (
      SELECT part.run, number FROM jobkit.part JOIN jobkit.run ON run.id = part.run
      WHERE part.state = 'due' AND not_before <= \(now) AND part.job = ANY(\(jobs))
        AND coalesce(part.run = \(run), true) AND \(mayGoOn)
      ORDER BY part.priority DESC, not_before, part.run, number
      LIMIT \(limit)
      FOR UPDATE OF part SKIP LOCKED
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
    """
  }

  /// Whether a run may go on, or begin.
  ///
  /// One that goes on keeps its claim to its other parts: only one that has not begun waits for those
  /// before it, or the two would wait for each other.
  private static let mayGoOn: Statement = """
    run.state IN ('due', 'running') AND cancel_asked_at IS NULL
    AND NOT EXISTS (
      SELECT FROM jobkit.run AS other
      WHERE other.job = run.job AND other.id <> run.id
        AND (other.exclusive OR run.exclusive)
        AND (other.state = 'running'
          OR other.state = 'due' AND run.state = 'due' AND other.id < run.id))
    """
}
