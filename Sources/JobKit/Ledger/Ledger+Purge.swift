public import LocalTime
public import Postgres

/// How long the ledger remembers, by what became of a run.
public struct Retention: Sendable, Equatable {
  public var ran = Duration.seconds(90 * 86_400)
  public var failed = Duration.seconds(180 * 86_400)

  /// What never ran: skipped, missed, collapsed.
  public var neverRan = Duration.seconds(30 * 86_400)

  public init() {}
}

extension Ledger {
  /// Deletes at most `limit` runs that are older than they are remembered; returns how many.
  ///
  /// A run that is not over is never deleted, however old. With `jobs` it deletes theirs, and after
  /// the longest time those of jobs that no living daemon has code for: how long another program's
  /// runs are remembered is not ours to know.
  public static func purge(
    _ retention: Retention, of jobs: [JobName]? = nil, limit: Int = 1000, at now: Instant,
    on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    let longest = max(retention.ran, retention.failed, retention.neverRan)
    return try connection.run(
      """
      DELETE FROM jobkit.run WHERE id IN (
        SELECT id FROM jobkit.run
        WHERE scheduled_for < \(now - min(retention.ran, retention.failed, retention.neverRan))
          AND finished_at < CASE
            WHEN state IN ('succeeded', 'cancelled') THEN \(now - retention.ran)
            WHEN state = 'failed' THEN \(now - retention.failed)
            ELSE \(now - retention.neverRan) END
          AND (coalesce(job = ANY(\(jobs)), true) OR finished_at < \(now - longest)
            AND NOT EXISTS (SELECT FROM jobkit.worker WHERE run.job = ANY(worker.jobs)))
        ORDER BY scheduled_for LIMIT \(limit)
        FOR UPDATE SKIP LOCKED
      )
      """
    ).affected
  }
}
