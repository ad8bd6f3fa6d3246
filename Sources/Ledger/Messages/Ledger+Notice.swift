package import LocalTime
package import Postgres

extension Ledger {
  /// Writes down what people are to be told of, in the statement in which it happens.
  ///
  /// `rows` is what a clause behind `SELECT` gives: the event, the job, the run, how many ticks.
  static func noticing(_ rows: Statement, at now: Statement) -> Statement {
    """
    INSERT INTO jobkit.notice (event, job, run, ticks, happened_at, not_before)
    SELECT event, job, run, ticks, \(now), \(now) FROM (SELECT \(rows)) AS happened (event, job, run, ticks)
    """
  }

  /// Forgets what nobody wanted to be told within a day, what people were told a month ago, and outages of half a year
  /// ago.
  ///
  /// A pause that goes on is still to be told of, however long that takes.
  package static func forgetNotices(
    at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      """
      WITH unwanted AS (
        DELETE FROM jobkit.notice WHERE happened_at < \(now - .seconds(86_400))
          AND NOT (event = 'paused_too_long' AND EXISTS (
            SELECT FROM jobkit.job WHERE name = notice.job AND paused_at = happened_at
              AND coalesce(paused_until > \(now), true)))
      ), past AS (
        DELETE FROM jobkit.incident WHERE until < \(now - .seconds(180 * 86_400))
      ), ended AS (
        DELETE FROM jobkit.outage WHERE ended_at < \(now - .seconds(180 * 86_400))
      )
      DELETE FROM jobkit.message WHERE made_at < \(now - .seconds(30 * 86_400))
      """)
  }
}

/// What the maintenance loop asks in its query, so that nothing to tell costs no query of its own.
///
/// Each is a look into tables that are empty while all is well.
extension Ledger {
  /// Whether there is something to tell as of `now`, in SQL.
  package static func hasNews(for watch: NoticeWatch) -> Statement {
    """
    EXISTS (SELECT FROM jobkit.notice WHERE not_before <= now AND job = ANY(\(watch.jobs))
      AND (event <> 'paused_too_long' OR \(isTooLong(watch, at: "now"))))
    OR EXISTS (SELECT FROM jobkit.message WHERE state IN ('due', 'sending') AND not_before <= now
      AND (job = ANY(\(watch.jobs)) OR job = '*'))
    OR EXISTS (SELECT FROM jobkit.incident WHERE job = ANY(\(watch.jobs)) AND \(isOver))
    """
  }

  static func isTooLong(_ watch: NoticeWatch, at now: Statement) -> Statement {
    "happened_at <= \(now) - make_interval(secs => \(watch.pausedAfter / .seconds(1)))"
  }

  /// Whether a job in trouble has succeeded since: among its newest ticks, the newest of its runs beside the
  /// schedule, or the latest successes of all jobs.
  ///
  /// Each is a few rows of an index. The ticks alone would not do: while a run goes on for long, many are
  /// skipped behind it; and to leave those out would be to walk past all that a pause of weeks has left. What
  /// is among none of them, because no heart beat for long, is told with the next success.
  static var isOver: Statement {
    func succeeded(among runs: Statement) -> Statement {
      """
      EXISTS (
        SELECT FROM (
          SELECT job, state, finished_at FROM jobkit.run WHERE \(runs)
        ) AS newest WHERE newest.job = incident.job AND state = 'succeeded' AND finished_at > incident.until)
      """
    }
    // Not '=', for which the planner would also walk the runs of all jobs by their age.
    let areIts: Statement = "run.job BETWEEN incident.job AND incident.job"
    let newest: Statement = "ORDER BY run.job DESC, scheduled_for DESC LIMIT 20"
    let ticks: Statement = "\(areIts) AND trigger = 'schedule' \(newest)"
    let others: Statement =
      "\(areIts) AND trigger <> 'schedule' AND started_at IS NOT NULL \(newest)"
    let successes: Statement =
      "state = 'succeeded' AND finished_at > incident.until ORDER BY finished_at DESC LIMIT 200"
    return """
      (\(succeeded(among: ticks)) OR \(succeeded(among: others)) OR \(succeeded(among: successes)))
      """
  }

  /// The runs that wait for a worker although their moment has long passed, in SQL.
  ///
  /// What is caught up counts from when it was decided, and what waited for other jobs from the end of that.
  static func lateRuns(for watch: NoticeWatch, at now: Statement) -> Statement {
    """
    FROM jobkit.run
    JOIN unnest(\(watch.jobs), \(watch.lateSeconds)) AS limited (job, seconds) USING (job)
    WHERE state = 'due' AND started_at IS NULL AND trigger = 'schedule'
      AND greatest(scheduled_for, decided_at, after_until) < \(now) - make_interval(secs => seconds)
    """
  }
}
