internal import JobKit
public import LocalTime
public import Postgres

extension Ledger {
  /// What the ledger says of all jobs and daemons, for somebody who is no daemon.
  public static func healthSnapshot(
    at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> HealthSnapshot {
    try HealthSnapshot(
      connection.run(surveying(by: "", havingCodeFor: [], newest: fewRows, at: now)), at: now)
  }

  /// Asks for each job what a health snapshot tells of it; a daemon that asks is alive and has code for `jobs`.
  ///
  /// Of each job it looks at the `newest` ticks for the latest success: a job may not have had one for
  /// half a year.
  static func surveying(
    by daemon: String, havingCodeFor jobs: [JobName], newest: Int, at now: Instant
  ) -> Statement {
    """
    SELECT alive.daemons, alive.ready, alive.draining,
      greatest(presence.seen_at, alive.seen_at) AS last_seen,
      job.name, decided_until, paused_at, paused_by, pause_reason, paused_until,
      held.id AS held_run, held.since AS held_since, waiting.id AS waiting_run, waiting.since AS waiting_since,
      awaiting.id AS awaiting_run, awaiting.since AS awaiting_since, awaiting.until AS awaiting_until,
      EXISTS (SELECT FROM jobkit.schedule WHERE schedule.job = job.name) AS is_scheduled,
      blocked_since, blocked_because, outcome.*, failure.error AS failed_because,
      job.name = ANY(\(jobs)) OR EXISTS (
        SELECT FROM jobkit.daemon
        WHERE seen_at > \(now - DaemonRecord.aliveFor) AND job.name = ANY(jobs) AND NOT by_hand
      ) AS has_daemon
    FROM (
      SELECT count(*) AS daemons, count(*) FILTER (WHERE draining) AS draining,
        count(*) FILTER (WHERE ready_at IS NOT NULL AND NOT draining) AS ready,
        (SELECT max(seen_at) FROM jobkit.daemon WHERE NOT by_hand AND name <> \(daemon)) AS seen_at
      FROM jobkit.daemon
      WHERE seen_at > \(now - DaemonRecord.aliveFor) AND name <> \(daemon) AND NOT by_hand
    ) AS alive
    -- Without the limit a server that has no figures of the table yet takes its one row for thousands.
    LEFT JOIN (SELECT seen_at FROM jobkit.presence LIMIT 1) AS presence ON true
    LEFT JOIN jobkit.job ON true
    LEFT JOIN LATERAL (\(heldRun)) AS held ON true
    LEFT JOIN LATERAL (\(unbegunTick)) AS waiting ON true
    LEFT JOIN LATERAL (\(awaitingTicks)) AS awaiting ON true
    LEFT JOIN LATERAL (\(outcome(ofNewest: newest))) AS outcome ON true
    LEFT JOIN LATERAL (\(failure)) AS failure ON true
    ORDER BY job.name
    """
  }

  /// When a tick of a job succeeded last, among so many, and which of its runs have failed since one succeeded, in SQL.
  ///
  /// Runs beside the schedule count like ticks: a job that fails by hand fails. So do those that succeed there.
  private static func outcome(ofNewest newest: Int) -> Statement {
    """
    SELECT max(finished_at) FILTER (WHERE state = 'succeeded' AND trigger = 'schedule')
        AS last_success,
      coalesce(bool_or(state = 'succeeded'), false) AS has_succeeded,
      count(*) FILTER (WHERE has_failed) AS failures,
      (array_agg(id ORDER BY finished_at DESC, id DESC) FILTER (WHERE has_failed))[1] AS failed_run,
      min(finished_at) FILTER (WHERE has_failed) AS failed_since
    FROM (
      SELECT *, state = 'failed' AND NOT bool_or(state = 'succeeded') OVER (
        ORDER BY finished_at DESC NULLS FIRST) AS has_failed
      FROM (
        (SELECT id, state, finished_at, trigger FROM jobkit.run
          WHERE \(areIts) AND trigger = 'schedule' AND started_at IS NOT NULL
          ORDER BY run.job DESC, scheduled_for DESC LIMIT \(newest))
        UNION ALL
        (SELECT id, state, finished_at, trigger FROM jobkit.run
          WHERE \(areIts) AND trigger <> 'schedule' AND started_at IS NOT NULL
          ORDER BY run.job DESC, scheduled_for DESC LIMIT 20)
      ) AS newest
    ) AS told
    """
  }

  // Not '=', for which the planner would also walk the runs of all jobs by their age.
  private static let areIts: Statement = "run.job BETWEEN job.name AND job.name"

  /// Why the newest run that failed did, in SQL.
  private static let failure: Statement = """
    SELECT error FROM jobkit.part WHERE run = failed_run AND state = 'failed' ORDER BY number LIMIT 1
    """

  /// The oldest tick of a job that waits for its first worker, in SQL.
  ///
  /// What it waited for other jobs does not count. A run that was begun is due again after a retry or an approval: that its tick is old says nothing.
  private static let unbegunTick: Statement = """
    SELECT id, greatest(scheduled_for, decided_at, after_until) AS since FROM jobkit.run
    WHERE run.job = job.name AND state = 'due' AND trigger = 'schedule' AND started_at IS NULL
    ORDER BY id LIMIT 1
    """

  /// The oldest run of a job that waits for approval, in SQL.
  private static let heldRun: Statement = """
    SELECT id, greatest(scheduled_for, decided_at) AS since FROM jobkit.run
    WHERE run.job = job.name AND state = 'held' ORDER BY id LIMIT 1
    """

  /// The ticks of a job that wait for others, as one row, in SQL.
  private static let awaitingTicks: Statement = """
    SELECT min(id) AS id, min(greatest(scheduled_for, decided_at)) AS since, min(after_until) AS until
    FROM jobkit.run WHERE run.job = job.name AND \(waitsForJobs)
    """

  /// How many ticks of a job are looked at once, at the start, and then each time.
  static let mostRows = 2000
  static let fewRows = 20
}

extension HealthSnapshot {
  /// Reads what was asked for; a daemon that asks is alive beside those that the ledger shows.
  init(
    _ rows: Rows, byDaemon: Bool = false, isReady: Bool = false, isDraining: Bool = false,
    at now: Instant
  ) throws(PostgresError) {
    self.now = now
    daemons = (byDaemon ? 1 : 0) + (try rows.first?["daemons"] ?? 0)
    ready = (isReady && !isDraining ? 1 : 0) + (try rows.first?["ready"] ?? 0)
    draining = (isDraining ? 1 : 0) + (try rows.first?["draining"] ?? 0)
    lastSeen = try rows.first?["last_seen"]
    var jobs: [Job] = []
    for row in rows {
      guard try row["name", as: String?.self] != nil else { continue }
      jobs.append(try Job(row))
    }
    self.jobs = jobs
  }
}

extension HealthSnapshot.Job {
  fileprivate init(_ row: Row) throws(PostgresError) {
    name = try row["name"]
    decidedUntil = try row["decided_until"]
    pause = try Pause(row)
    held = try HealthSnapshot.Waiting(run: row["held_run"], since: row["held_since"])
    waiting = try HealthSnapshot.Waiting(run: row["waiting_run"], since: row["waiting_since"])
    awaiting = try HealthSnapshot.Awaiting(row)
    lastSuccess = try row["last_success"]
    failing = try HealthSnapshot.Failing(row)
    blocked = try Block(row)
    (isScheduled, hasDaemon) = (try row["is_scheduled"], try row["has_daemon"])
  }
}

extension HealthSnapshot.Failing {
  fileprivate init?(_ row: Row) throws(PostgresError) {
    guard let times = try row["failures", as: Int?.self], times > 0,
      let run = try row["failed_run", as: Int?.self],
      let since = try row["failed_since", as: Instant?.self]
    else { return nil }
    (self.run, self.times, self.since) = (run, times, since)
    reason = try row["failed_because", as: String?.self] ?? "no part of it says why"
    hasSucceeded = try row["has_succeeded"]
  }
}

extension HealthSnapshot.Awaiting {
  fileprivate init?(_ row: Row) throws(PostgresError) {
    guard let run = try row["awaiting_run", as: Int?.self],
      let since = try row["awaiting_since", as: Instant?.self],
      let until = try row["awaiting_until", as: Instant?.self]
    else { return nil }
    (self.run, self.since, self.until) = (run, since, until)
  }
}

extension HealthSnapshot.Waiting {
  fileprivate init?(run: Int?, since: Instant?) {
    guard let run, let since else { return nil }
    self.init(run: run, since: since)
  }
}
