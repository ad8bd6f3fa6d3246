internal import LocalTime
internal import Postgres

/// One outage is one message, however many jobs missed ticks in it.
extension Ledger {
  /// How long after the return of a daemon its ticks are waited for.
  ///
  /// A pass decides those of one job after the other. A daemon that was there for less has not ended the outage.
  static let outageWait = Duration.seconds(30)

  /// For how long daemons that are there for a moment only put off the message of an outage.
  static let longestFlapping = Duration.seconds(300)

  /// Lets the missed ticks of an outage wait for each other.
  static func puttingOffOutage(for watch: NoticeWatch, at now: Instant) -> Statement {
    """
    UPDATE jobkit.notice SET not_before = ended_at + \(wait)
    FROM jobkit.run CROSS JOIN LATERAL (\(outageOfRun)) AS outage
    WHERE \(isOfOutage) AND notice.job = ANY(\(watch.jobs)) AND notice.not_before <= \(now)
      AND ended_at + \(wait) > \(now)
    """
  }

  /// Makes one message of all ticks that were missed in an outage.
  ///
  /// What is found missed of it after the message was made stays a notice of its job, which the next message tells.
  static func foldingOutage(for watch: NoticeWatch, at now: Instant) -> Statement {
    """
    WITH taken AS (
      DELETE FROM jobkit.notice USING jobkit.run CROSS JOIN LATERAL (\(outageOfRun)) AS outage
      WHERE \(isOfOutage) AND notice.job = ANY(\(watch.jobs)) AND notice.job <> ALL(\(watch.silent))
        AND told_at IS NULL AND ended_at + \(wait) <= \(now)
      RETURNING outage.id AS outage, notice.job, notice.ticks, coalesce(run.first_tick, scheduled_for) AS first,
        scheduled_for AS last
    ), counted AS (
      SELECT outage, job, sum(ticks) AS ticks, min(first) AS first, max(last) AS last
      FROM taken GROUP BY outage, job
    ), told AS (
      UPDATE jobkit.outage SET told_at = \(now) WHERE id IN (SELECT outage FROM taken) RETURNING *
    )
    INSERT INTO jobkit.message (event, job, times, first_at, last_at, reason, made_at, not_before,
      length_seconds, had_daemon, first_tick, last_tick)
    SELECT 'outage', '*', sum(ticks), began_at, ended_at,
      string_agg(job || ' ' || ticks, ', ' ORDER BY ticks DESC, job), \(now), \(now),
      extract(epoch FROM ended_at - began_at) - interrupted_seconds, had_daemon, min(first), max(last)
    FROM told JOIN counted ON outage = told.id
    GROUP BY told.id, began_at, ended_at, interrupted_seconds, had_daemon ORDER BY told.id
    """
  }

  /// Whether a notice is of a tick that was missed because no daemon was there, in SQL: not of one that was decided in
  /// time and waited for a worker in vain.
  private static let isOfOutage: Statement =
    "notice.event = 'missed' AND run.id = notice.run AND \(wasNotSeen)"

  /// Whether a run that was missed is one of a tick that was missed because no daemon was there, in SQL.
  static let wasNotSeen: Statement = "run.finished_at = run.decided_at"

  /// The outage in which a run's tick came, or next to which, in SQL.
  ///
  /// The maintenance loop notes presence each quarter of a minute, and the other loop decides up to half a minute
  /// beside it. What was decided before a daemon was back has another cause: such an outage was noted by a clock that
  /// was ahead.
  static let outageOfRun: Statement = """
    SELECT id, ended_at, told_at FROM jobkit.outage
    WHERE run.scheduled_for BETWEEN began_at - interval '1 minute' AND ended_at + interval '1 minute'
      AND back_at <= run.decided_at + interval '1 minute'
    ORDER BY greatest(began_at - run.scheduled_for, run.scheduled_for - ended_at), id LIMIT 1
    """

  private static var wait: Statement { "make_interval(secs => \(outageWait / .seconds(1)))" }
}
