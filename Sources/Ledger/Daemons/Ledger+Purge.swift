public import JobKit
public import LocalTime
public import Postgres

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
    try connection.run(purging(retention, of: jobs, limit: limit, at: now)).affected
  }

  /// The statement that deletes, of each outcome, the oldest runs first.
  ///
  /// They are found in indexes, so that none being old enough is known after a few pages. Two daemons
  /// that purge at once take different runs.
  package static func purging(
    _ retention: Retention, of jobs: [JobName]?, limit: Int, at now: Instant
  ) -> Statement {
    let longest = max(retention.succeeded, retention.failed, retention.neverRan)
    let isOurs: Statement = """
      (coalesce(job = ANY(\(jobs)), true) OR finished_at < \(now - longest)
        AND NOT EXISTS (SELECT FROM jobkit.daemon WHERE run.job = ANY(daemon.jobs)))
      """
    func old(_ outcome: Statement, endedBefore moment: Instant) -> Statement {
      """
      SELECT id FROM (
        SELECT id FROM jobkit.run
        WHERE \(outcome) AND finished_at < \(moment) AND \(isOurs)
          AND (started_at IS NULL
            OR scheduled_for < (SELECT scheduled_for FROM kept WHERE kept.job = run.job))
        ORDER BY finished_at LIMIT \(limit)
        FOR UPDATE SKIP LOCKED
      ) AS old
      """
    }
    return """
      WITH kept AS MATERIALIZED (
        \(oldestKept(of: retention.newest))
      )
      DELETE FROM jobkit.run WHERE id = ANY(ARRAY(
        \(old("state = 'succeeded'", endedBefore: now - retention.succeeded))
        UNION ALL
        \(old("state IN ('failed', 'cancelled')", endedBefore: now - retention.failed))
        UNION ALL
        \(old("state IN ('skipped', 'missed', 'collapsed')", endedBefore: now - retention.neverRan))
        LIMIT \(limit)
      ))
      """
  }

  /// Of each job the oldest of so many runs, the newest that ran.
  private static func oldestKept(of newest: Int) -> Statement {
    """
    SELECT name AS job, oldest.scheduled_for FROM jobkit.job
    CROSS JOIN LATERAL (
      \(newestThatRan(newest)) ORDER BY scheduled_for DESC OFFSET \(newest - 1) LIMIT 1
    ) AS oldest
    """
  }

  /// When the newest runs of the job `name` were due that ran, and what became of them: up to so many of the
  /// schedule, and as many beside it, each from an index.
  static func newestThatRan(_ most: Int) -> Statement {
    func ran(_ trigger: Statement) -> Statement {
      // Not '=', for which the planner would also walk the runs of all jobs by their age: far, where a
      // job has not run for long.
      """
      SELECT scheduled_for, state FROM (
        SELECT scheduled_for, state FROM jobkit.run
        WHERE job BETWEEN name AND name AND \(trigger) AND started_at IS NOT NULL
        ORDER BY job DESC, scheduled_for DESC LIMIT \(most)
      ) AS ran
      """
    }
    return "\(ran("trigger = 'schedule'")) UNION ALL \(ran("trigger <> 'schedule'"))"
  }
}
