internal import Postgres

/// How the jobs stand that a tick waits for.
extension Ledger {
  /// Whether a run is a tick that waits for other jobs, in SQL: a look at an index that is empty as a rule.
  static let waitsForJobs: Statement =
    "state = 'waiting' AND trigger = 'schedule'"

  /// In SQL a row for each job that the tick `run` waits for, in their order: its tick that counts, the run of that,
  /// which state that is in, and what follows: `run`, `skip` or `wait`.
  ///
  /// Whoever ran the same tick by hand, or filled it in, has let the job succeed too.
  static func predecessors(of run: Statement) -> Statement {
    """
    SELECT place, awaited.job, awaited.tick, found.id AS run, found.state,
      CASE
        WHEN found.state = 'succeeded' OR EXISTS (
          SELECT FROM jobkit.run AS again
          WHERE again.job = awaited.job AND again.scheduled_for = awaited.tick AND again.trigger <> 'schedule'
            AND again.started_at IS NOT NULL AND again.trigger IN ('manual', 'backfill') AND again.state = 'succeeded'
        ) THEN 'run'
        WHEN found.state IN ('failed', 'cancelled') THEN \(run).after_failed
        WHEN found.state IN ('skipped', 'missed') THEN \(run).after_missing
        WHEN found.id IS NOT NULL OR known.decided_until < awaited.tick THEN 'wait'
        ELSE \(run).after_missing
      END AS answer,
      found.id IS NULL AND coalesce(known.decided_until < awaited.tick, false) AS is_undecided
    FROM unnest(\(run).after_jobs, \(run).after_ticks) WITH ORDINALITY AS awaited (job, tick, place)
    LEFT JOIN jobkit.job AS known ON known.name = awaited.job
    LEFT JOIN LATERAL (\(newestTick(by: run))) AS found ON true
    """
  }

  /// The row of the newest tick of `awaited.job` at or before a tick: its own, or that of many which covers it.
  ///
  /// One from before the tick that the schedule has is another's, and that was forgotten, unless the schedule is newer
  /// than that tick: then the one before it had the say. A daemon that begins with a new schedule knows no other when
  /// it decides what came before it.
  private static func newestTick(by run: Statement) -> Statement {
    // Not '=', for which the planner would also walk the runs of all jobs by their age.
    let areIts: Statement =
      "other.job BETWEEN awaited.job AND awaited.job AND other.trigger = 'schedule'"
    return """
      SELECT id, coalesce(fate, state) AS state FROM (
        (SELECT id, state, fate, scheduled_for FROM jobkit.run AS other
          WHERE \(areIts) AND other.scheduled_for <= \(run).scheduled_for
          ORDER BY other.job DESC, other.scheduled_for DESC LIMIT 1)
        UNION ALL
        (SELECT id, state, fate, scheduled_for FROM (
          SELECT id, state, fate, scheduled_for, first_tick FROM jobkit.run AS other
          WHERE \(areIts) AND other.scheduled_for > \(run).scheduled_for
          ORDER BY other.job, other.scheduled_for LIMIT 1
        ) AS next WHERE first_tick <= \(run).scheduled_for)
      ) AS near
      WHERE scheduled_for >= awaited.tick OR EXISTS (
        SELECT FROM jobkit.schedule
        WHERE schedule.job = awaited.job AND since >= awaited.tick
          AND since <= greatest(\(run).scheduled_for, \(run).decided_at))
      ORDER BY scheduled_for DESC LIMIT 1
      """
  }
}
