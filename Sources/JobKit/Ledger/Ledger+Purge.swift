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

  /// The statement that deletes, of each job and outcome, the oldest runs first.
  ///
  /// They are found in an index, so that none being old enough is known after a few pages. Two daemons
  /// that purge at once take different runs.
  static func purging(
    _ retention: Retention, of jobs: [JobName]?, limit: Int, at now: Instant
  ) -> Statement {
    """
    WITH remembered AS (\(remembered(retention, of: jobs, at: now))
    ), kept AS MATERIALIZED (\(kept(retention))
    )
    DELETE FROM jobkit.run WHERE id = ANY(ARRAY(
      SELECT old.id FROM remembered
      CROSS JOIN LATERAL (
        SELECT id FROM jobkit.run
        WHERE run.job = remembered.job AND state = outcome AND finished_at < since
          AND (started_at IS NULL
            OR scheduled_for < (SELECT scheduled_for FROM kept WHERE kept.job = run.job))
        ORDER BY finished_at LIMIT \(limit)
        FOR UPDATE SKIP LOCKED
      ) AS old
      LIMIT \(limit)
    ))
    """
  }

  /// Since when the runs of each job are remembered, by what became of them.
  private static func remembered(
    _ retention: Retention, of jobs: [JobName]?, at now: Instant
  ) -> Statement {
    let ends = retention.ends(at: now)
    return """

        SELECT name AS job, outcome,
          CASE WHEN coalesce(name = ANY(\(jobs)), true) THEN since ELSE \(ends.map(\.moment).min()) END AS since
        FROM jobkit.job CROSS JOIN unnest(\(ends.map(\.state)), \(ends.map(\.moment))) AS ended (outcome, since)
        WHERE coalesce(name = ANY(\(jobs)), true)
          OR NOT EXISTS (SELECT FROM jobkit.worker WHERE job.name = ANY(worker.jobs))
      """
  }

  /// The oldest of the newest runs of each job that ran.
  private static func kept(_ retention: Retention) -> Statement {
    """

      SELECT name AS job, oldest.scheduled_for FROM jobkit.job
      CROSS JOIN LATERAL (
        -- Not '=', for which the planner would also walk the runs of all jobs by their age: far, where
        -- a job has not run for long.
        SELECT scheduled_for FROM jobkit.run
        WHERE job BETWEEN name AND name AND started_at IS NOT NULL
        ORDER BY job, scheduled_for DESC OFFSET \(retention.newest - 1) LIMIT 1
      ) AS oldest
    """
  }
}

extension Retention {
  /// Since when runs are remembered that ended in each of the states.
  fileprivate func ends(at now: Instant) -> [(state: String, moment: Instant)] {
    [
      ("succeeded", now - succeeded), ("failed", now - failed), ("cancelled", now - failed),
      ("skipped", now - neverRan), ("missed", now - neverRan), ("collapsed", now - neverRan),
    ]
  }
}
