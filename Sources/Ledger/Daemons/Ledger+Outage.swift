import LocalTime
import Postgres

/// One outage is one message, however many jobs missed ticks in it.
extension Ledger {
  /// How long after the return of a daemon its ticks are waited for: a pass decides those of one job after the other.
  static let outageWait = Duration.seconds(30)

  /// Lets the missed ticks of the latest absence wait for each other.
  static func puttingOffOutage(for watch: NoticeWatch, at now: Instant) -> Statement {
    """
    UPDATE jobkit.notice SET not_before = absent_until + \(wait)
    FROM jobkit.run, jobkit.presence
    WHERE \(isOfAbsence) AND notice.job = ANY(\(watch.jobs)) AND notice.not_before <= \(now)
      AND absent_until + \(wait) > \(now)
    """
  }

  /// Makes one message of all ticks that were missed in the latest absence of the daemons.
  ///
  /// What another daemon finds missed of it after the message was made is left to the ledger: people know of the
  /// outage.
  static func foldingOutage(for watch: NoticeWatch, at now: Instant) -> Statement {
    """
    WITH taken AS (
      DELETE FROM jobkit.notice USING jobkit.run, jobkit.presence
      WHERE \(isOfAbsence) AND notice.job = ANY(\(watch.jobs)) AND notice.job <> ALL(\(watch.silent))
        AND absent_until + \(wait) <= \(now)
      RETURNING notice.job, notice.ticks
    ), counted AS (
      SELECT job, sum(ticks) AS ticks FROM taken GROUP BY job
    ), absence AS (
      UPDATE jobkit.presence SET told_until = absent_until
      WHERE told_until IS DISTINCT FROM absent_until AND EXISTS (SELECT FROM taken)
      RETURNING absent_from, absent_until
    )
    INSERT INTO jobkit.message (event, job, times, first_at, last_at, reason, made_at, not_before)
    SELECT 'outage', '*', sum(ticks), absent_from, absent_until,
      string_agg(job || ' ' || ticks, ', ' ORDER BY ticks DESC, job), \(now), \(now)
    FROM absence CROSS JOIN counted GROUP BY absent_from, absent_until
    """
  }

  /// Whether a notice is of a tick that was missed because no daemon was there, in SQL: not of one that was decided in time and
  /// waited for a worker in vain.
  ///
  /// The maintenance loop notes presence each quarter of a minute, and the other loop decides up to half a minute
  /// beside it.
  private static let isOfAbsence: Statement = """
    notice.event = 'missed' AND run.id = notice.run AND run.finished_at = run.decided_at
      AND run.scheduled_for BETWEEN absent_from - interval '1 minute' AND absent_until + interval '1 minute'
    """

  private static var wait: Statement { "make_interval(secs => \(outageWait / .seconds(1)))" }
}
