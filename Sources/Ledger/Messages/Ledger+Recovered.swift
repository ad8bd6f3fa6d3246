import LocalTime
import Postgres

/// What is told of a job that has succeeded since it failed.
extension Ledger {
  /// Makes a message of each job that has succeeded since people were told of its failures.
  ///
  /// A failure of which nobody was told is over, too: its message is withdrawn, and it is counted here when people
  /// know of others. While a message of failures is being sent, that the job succeeded waits for it.
  static func recovering(for watch: NoticeWatch, at now: Instant) -> Statement {
    """
    WITH over AS (
      DELETE FROM jobkit.incident WHERE job = ANY(\(watch.jobs)) AND \(isOver)
        AND NOT EXISTS (SELECT FROM jobkit.message WHERE \(isOfIncident("incident"))
          AND state = 'sending' AND not_before > \(now))
      RETURNING *
    ), untold AS (
      DELETE FROM jobkit.notice USING over
      WHERE notice.job = over.job AND event = 'failed' AND happened_at <= until
      RETURNING notice.job, run
    ), withdrawn AS (
      DELETE FROM jobkit.message USING over
      WHERE \(isOfIncident("over")) AND state IN ('due', 'sending') AND told_channels = '{}'
      RETURNING message.job, times, state
    ), ended AS (
      UPDATE jobkit.message SET state = 'told', owner = NULL, ended_at = \(now) FROM over
      WHERE \(isOfIncident("over")) AND state IN ('due', 'sending') AND told_channels <> '{}'
    )
    INSERT INTO jobkit.message (event, job, times, first_at, last_at, made_at, not_before)
    SELECT 'recovered', job,
      failures + (SELECT count(DISTINCT run) FROM untold WHERE untold.job = over.job),
      since, until, \(now), \(now)
    FROM over WHERE job <> ALL(\(watch.silent)) AND failures > \(neverTold)
    """
  }

  private static func isOfIncident(_ incident: Statement) -> Statement {
    "message.job = \(incident).job AND message.event = 'failed'"
  }

  /// How many failures only messages tell that have reached nobody; one that a lost daemon was sending may have.
  private static var neverTold: Statement {
    """
    (SELECT coalesce(sum(times), 0) FROM withdrawn
      WHERE withdrawn.job = over.job AND withdrawn.state = 'due')
    """
  }
}
