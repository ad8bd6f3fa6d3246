internal import JobKit
package import LocalTime
package import Postgres

extension Ledger {
  /// Makes messages of what is to be told, and claims up to `most` of those that are due.
  ///
  /// One daemon does so at a time, so that what belongs into one message does not become two. It holds a lock that
  /// only a role which writes messages can have: a reader's would keep all of them back.
  package static func claimMessages(
    _ most: Int, for watch: NoticeWatch, owner: String, lease: Duration, at now: Instant,
    on connection: borrowing Connection
  ) throws(PostgresError) -> [NoticeMessage] {
    var isAlone = false
    do throws(PostgresError) {
      return try connection.transaction { connection throws(PostgresError) in
        try connection.run("LOCK TABLE jobkit.message IN SHARE UPDATE EXCLUSIVE MODE NOWAIT")
        isAlone = true
        for statement in withdrawing(for: watch, at: now) + making(for: watch, at: now) {
          try connection.run(statement)
        }
        Failpoint.messageMade.pass()
        let rows = try connection.run(
          claiming(most, of: watch.jobs, owner: owner, lease: lease, at: now))
        var claimed: [NoticeMessage] = []
        for row in rows { claimed.append(try NoticeMessage(row)) }
        return claimed
      }
    } catch {
      // The maintenance loop waits for nobody: another daemon is at it, or a vacuum, and the next pass asks again.
      guard error.isLockTimeout, !isAlone else { throw error }
      return []
    }
  }

  private static func making(for watch: NoticeWatch, at now: Instant) -> [Statement] {
    var statements = [dropping(for: watch, at: now)]
    if watch.events.contains(.missed) {
      statements += [puttingOffOutage(for: watch, at: now), foldingOutage(for: watch, at: now)]
    }
    statements += [
      puttingOff(for: watch, at: now), folding(for: watch, at: now), lengthening(for: watch),
      recovering(for: watch, at: now),
    ]
    return watch.events.contains(.late)
      ? [noticingLate(for: watch, at: now)] + statements : statements
  }

  /// Finds runs that are late and of which nobody was told.
  private static func noticingLate(for watch: NoticeWatch, at now: Instant) -> Statement {
    noticing(
      """
      'late', job, id, 1 \(lateRuns(for: watch, at: "\(now)"))
        AND NOT EXISTS (SELECT FROM jobkit.notice WHERE event = 'late' AND notice.run = run.id)
        AND NOT EXISTS (SELECT FROM jobkit.message
          WHERE event = 'late' AND message.job = run.job AND last_at >= run.scheduled_for)
      """, at: "\(now)")
  }

  /// Drops what nobody wants to be told, and what is over: pauses, and runs that were decided or have begun.
  private static func dropping(for watch: NoticeWatch, at now: Instant) -> Statement {
    """
    DELETE FROM jobkit.notice
    WHERE job = ANY(\(watch.jobs)) AND NOT \(isWanted(by: watch, at: now))
    """
  }

  private static func isWanted(by watch: NoticeWatch, at now: Instant) -> Statement {
    """
    (event = ANY(\(watch.events.map(\.rawValue))) AND job <> ALL(\(watch.silent))
      AND (event <> 'paused_too_long' OR EXISTS (
        SELECT FROM jobkit.job WHERE name = notice.job AND paused_at = happened_at
          AND coalesce(paused_until > \(now), true)))
      AND (event <> 'blocked' OR EXISTS (
        SELECT FROM jobkit.job WHERE name = notice.job AND blocked_because IS NOT NULL))
      AND (event NOT IN ('held', 'late') OR EXISTS (
        SELECT FROM jobkit.run WHERE run.id = notice.run AND \(isStillSo("notice.event")))))
    """
  }

  /// Lets wait what was told a moment ago, or is about to be.
  private static func puttingOff(for watch: NoticeWatch, at now: Instant) -> Statement {
    """
    UPDATE jobkit.notice
    SET not_before = CASE WHEN is_open THEN \(now) + \(wait(watch)) / 10 ELSE told.made_at + \(wait(watch)) END
    FROM (
      SELECT job, event, max(made_at) AS made_at,
        bool_or(state IN ('due', 'sending')) AS is_open
      FROM jobkit.message WHERE \(isRecent(watch, at: now)) GROUP BY job, event
    ) AS told
    WHERE (notice.job, notice.event) = (told.job, told.event)
      AND not_before <= \(now) AND notice.job = ANY(\(watch.jobs))
    """
  }

  /// Whether a message was made a moment ago, or is about to be told.
  ///
  /// One that was made well after `now`, before the clock was set back, is not recent until then.
  private static func isRecent(_ watch: NoticeWatch, at now: Instant) -> Statement {
    """
    (made_at > \(now) - \(wait(watch)) AND made_at < \(now) + \(wait(watch))
      OR state IN ('due', 'sending'))
    """
  }

  private static func wait(_ watch: NoticeWatch) -> Statement {
    "make_interval(secs => \(watch.againAfter / .seconds(1)))"
  }

  /// Makes one message of all that is to be told of one job and one event.
  private static func folding(for watch: NoticeWatch, at now: Instant) -> Statement {
    """
    WITH taken AS (
      DELETE FROM jobkit.notice
      WHERE not_before <= \(now) AND job = ANY(\(watch.jobs)) AND \(isToBeTold(watch, at: now))
      RETURNING *
    ), folded AS (
      SELECT event, job, max(run) AS run,
        CASE event WHEN 'missed' THEN sum(ticks) ELSE count(DISTINCT coalesce(run, 0)) END AS times,
        min(coalesce((\(tick("coalesce(first_tick, scheduled_for)"))), happened_at)) AS first_at,
        max(coalesce((\(tick("scheduled_for"))), happened_at)) AS last_at
      FROM taken GROUP BY event, job
    ), incident AS (
      INSERT INTO jobkit.incident (job, since, until, failures)
      SELECT job, first_at, last_at, times FROM folded WHERE event = 'failed'
      ON CONFLICT (job) DO UPDATE SET until = greatest(incident.until, excluded.until),
        failures = incident.failures + excluded.failures
    )
    INSERT INTO jobkit.message (event, job, run, times, first_at, last_at, reason, made_at, not_before)
    SELECT event, job, run, times, first_at, last_at,
      CASE event
        WHEN 'failed' THEN (SELECT error FROM jobkit.part
          WHERE part.run = folded.run AND state = 'failed' ORDER BY finished_at DESC LIMIT 1)
        WHEN 'paused_too_long' THEN (SELECT paused_by || ': ' || pause_reason FROM jobkit.job
          WHERE name = folded.job)
        WHEN 'blocked' THEN (SELECT blocked_because FROM jobkit.job WHERE name = folded.job)
        ELSE (SELECT reason FROM jobkit.run WHERE id = folded.run) END,
      \(now), \(now)
    FROM folded ORDER BY first_at
    """
  }

  /// What was missed is told with when it was missed, not with when that was found out.
  private static func tick(_ moment: Statement) -> Statement {
    "SELECT \(moment) FROM jobkit.run WHERE taken.event = 'missed' AND run.id = taken.run"
  }

  /// Whether it is time to tell of a notice.
  ///
  /// What has come in since others were dropped or put off, a statement ago, may be unwanted, or told a moment ago,
  /// too.
  private static func isToBeTold(_ watch: NoticeWatch, at now: Instant) -> Statement {
    """
    \(isWanted(by: watch, at: now))
      AND (event <> 'paused_too_long' OR \(isTooLong(watch, at: "\(now)")))
      AND NOT EXISTS (SELECT FROM jobkit.message
        WHERE (message.job, message.event) = (notice.job, notice.event) AND \(isRecent(watch, at: now)))
    """
  }

  /// Lets the trouble of a job last until its newest failure, whether people know of that one or not.
  private static func lengthening(for watch: NoticeWatch) -> Statement {
    """
    UPDATE jobkit.incident SET until = newest.at
    FROM (
      SELECT job, max(happened_at) AS at FROM jobkit.notice
      WHERE event = 'failed' AND job = ANY(\(watch.jobs)) GROUP BY job
    ) AS newest
    WHERE incident.job = newest.job AND newest.at > until
    """
  }

  /// Claims what is due: of each job one message at a time, in the order in which they were made.
  ///
  /// One that waits until it is tried again lets later ones pass, and outages are of no job.
  private static func claiming(
    _ most: Int, of jobs: [JobName], owner: String, lease: Duration, at now: Instant
  ) -> Statement {
    """
    UPDATE jobkit.message
    SET state = 'sending', owner = \(owner), epoch = epoch + 1, tries = tries + 1,
      not_before = \(now + lease)
    WHERE id IN (
      SELECT id FROM jobkit.message
      WHERE state IN ('due', 'sending') AND not_before <= \(now)
        AND (job = ANY(\(jobs)) OR job = '*')
        AND (job = '*' OR NOT EXISTS (SELECT FROM jobkit.message AS earlier
          WHERE earlier.job = message.job AND earlier.id < message.id
            AND (earlier.state = 'sending' OR earlier.state = 'due' AND earlier.not_before <= \(now))))
      ORDER BY id LIMIT \(most)
      FOR UPDATE SKIP LOCKED)
    RETURNING *
    """
  }
}
