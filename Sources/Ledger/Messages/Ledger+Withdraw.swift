import LocalTime
import Postgres

/// What keeps a message true until it is sent.
extension Ledger {
  /// Whether a run is as a notice or message of `event` says, in SQL: held, or waiting for a worker.
  static func isStillSo(_ event: Statement) -> Statement {
    """
    run.state IN ('held', 'due') AND run.cancel_asked_at IS NULL AND (\(event) = 'held' AND run.state = 'held'
      OR \(event) = 'late' AND run.state = 'due' AND run.started_at IS NULL)
    """
  }

  /// Withdraws the messages that what was decided meanwhile has overtaken, and corrects those that are half true.
  ///
  /// A message may wait for its receiver for a day. One that some way has taken counts as told: it is not sent
  /// to the others.
  static func withdrawing(for watch: NoticeWatch, at now: Instant) -> [Statement] {
    let overtaken: Statement = "\(isClaimable(watch, at: now)) AND \(isOvertaken(at: now))"
    return [
      """
      UPDATE jobkit.message SET state = 'told', owner = NULL, ended_at = \(now)
      WHERE \(overtaken) AND told_channels <> '{}'
      """,
      "DELETE FROM jobkit.message WHERE \(overtaken)",
      correcting(for: watch, at: now),
    ]
  }

  private static func isClaimable(_ watch: NoticeWatch, at now: Instant) -> Statement {
    """
    message.state IN ('due', 'sending') AND message.not_before <= \(now)
      AND message.job = ANY(\(watch.jobs))
    """
  }

  private static func isOvertaken(at now: Instant) -> Statement {
    """
    CASE
      WHEN event IN ('held', 'late') THEN NOT EXISTS (SELECT FROM jobkit.run WHERE \(isOfMessage))
      WHEN event = 'blocked' THEN NOT EXISTS (
        SELECT FROM jobkit.job WHERE name = message.job AND blocked_because IS NOT NULL)
      WHEN event = 'paused_too_long' THEN NOT EXISTS (
        SELECT FROM jobkit.job WHERE name = message.job AND paused_at = message.last_at
          AND coalesce(paused_until > \(now), true))
      ELSE false END
    """
  }

  /// Whether a run is one that a message is about and that is still as it says.
  private static var isOfMessage: Statement {
    """
    run.job = message.job AND (run.id = message.run OR message.times > 1 AND run.id < message.run)
      AND \(isStillSo("message.event"))
    """
  }

  /// Lets a message of many runs speak of those that are still so.
  private static func correcting(for watch: NoticeWatch, at now: Instant) -> Statement {
    """
    WITH still AS (
      SELECT message.id, max(run.id) AS run, count(*)::integer AS runs
      FROM jobkit.message JOIN jobkit.run ON \(isOfMessage)
      WHERE \(isClaimable(watch, at: now)) AND message.times > 1
      GROUP BY message.id
    )
    UPDATE jobkit.message SET run = still.run, times = least(times, runs), reason = newest.reason
    FROM still JOIN jobkit.run AS newest ON newest.id = still.run
    WHERE message.id = still.id AND (message.run <> still.run OR message.times > runs)
    """
  }
}
