package import JobKit
package import LocalTime
package import Postgres

extension Ledger {
  /// What a daemon has to know each second, in one cheap query that writes nothing.
  package struct MaintenanceQuery: Sendable, Equatable {
    package let now: Instant
    package let hasDueParts: Bool

    /// When the first of the parts that somebody works at runs out of its lease.
    package let nextLeaseEnd: Instant?
    package let hasCancelledParts: Bool
    package let hasLateRuns: Bool

    /// Whether a run that the app asked for may become due.
    package let hasRequests: Bool

    /// Whether a tick waits for other jobs.
    package let hasWaitingTicks: Bool

    /// Whether the clock was set back since something was written that would now hold for too long.
    package let reachesTooFar: Bool

    /// Who asked this daemon to end, if anybody did.
    package let drainAskedBy: String?

    /// Whether there is something to tell people, and whether a run waits for too long; only when asked.
    package var hasNews = false
    package var hasRunsToStart = false
  }

  /// Looks whether there is anything to do for the daemon `name`, which has code for `jobs`.
  ///
  /// How far ahead the parts of each are ever put off, `delays` says; the ticks that wait for other jobs are those of
  /// the jobs that it schedules, which are all that it decides.
  package static func maintenanceQuery(
    of name: DaemonID, at jobs: [JobName], scheduling scheduled: [JobName], lease: Duration,
    delays: [JobName: Duration], by clock: LedgerClock, for watch: NoticeWatch? = nil,
    on connection: borrowing Connection
  ) throws(PostgresError) -> MaintenanceQuery {
    let news: Statement = watch.map { hasNews(for: $0) } ?? "false"
    let late: Statement =
      watch.map { "EXISTS (SELECT \(lateRuns(for: $0, at: "now")))" } ?? "false"
    let row = try connection.run(
      keepingPlanOf: """
        WITH clock AS (SELECT coalesce(\(clock.turnedTo), clock_timestamp()) AS now)
        SELECT now,
          EXISTS (SELECT FROM jobkit.part JOIN jobkit.run ON run.id = part.run
            WHERE part.state = 'due' AND not_before <= now AND part.job = ANY(\(jobs))
              AND run.state <> 'held') AS has_due,
          (SELECT min(lease_until) FROM jobkit.part WHERE state = 'running'
            AND job = ANY(\(jobs))) AS next_lease_end,
          EXISTS (SELECT FROM jobkit.run WHERE cancel_asked_at IS NOT NULL
            AND finished_at IS NULL) AS has_cancelled,
          EXISTS (SELECT FROM jobkit.run WHERE state = 'due' AND start_before < now
            AND job = ANY(\(jobs))) AS has_late,
          \(hasRequests(of: jobs)) AS has_requests,
          \(hasWaitingTicks(of: scheduled)) AS has_waiting_ticks,
          \(reachesTooFar(lease: lease, delays: delays)) AS reaches_too_far,
          (SELECT drain_asked_by FROM jobkit.daemon WHERE name = \(name.text)) AS drain_asked_by,
          \(news) AS has_news, \(late) AS has_runs_to_start
        FROM clock
        """
    ).only
    return try MaintenanceQuery(row)
  }
}

extension Ledger.MaintenanceQuery {
  fileprivate init(_ row: Row) throws(PostgresError) {
    (now, hasDueParts) = (try row["now"], try row["has_due"])
    nextLeaseEnd = try row["next_lease_end"]
    (hasCancelledParts, hasLateRuns) = (try row["has_cancelled"], try row["has_late"])
    (hasRequests, hasWaitingTicks) = (try row["has_requests"], try row["has_waiting_ticks"])
    reachesTooFar = try row["reaches_too_far"]
    drainAskedBy = try row["drain_asked_by"]
    (hasNews, hasRunsToStart) = (try row["has_news"], try row["has_runs_to_start"])
  }
}
