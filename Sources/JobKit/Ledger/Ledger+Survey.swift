public import LocalTime
public import Postgres

extension Ledger {
  /// What the ledger says of all jobs and daemons, for somebody who is no daemon.
  public static func survey(
    at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Survey {
    try Survey(
      connection.run(surveying(by: "", havingCodeFor: [], newest: fewRows, at: now)), at: now)
  }

  /// Asks for each job what a survey tells of it; a daemon that asks is alive and has code for `jobs`.
  ///
  /// Of each job it looks at the `newest` ticks for the latest success: a job may not have had one for
  /// half a year.
  static func surveying(
    by daemon: String, havingCodeFor jobs: [JobName], newest: Int, at now: Instant
  ) -> Statement {
    """
    SELECT alive.daemons, alive.ready, alive.draining,
      job.name, decided_until, paused_at, paused_by, pause_reason, paused_until,
      held.id AS held_run, held.since AS held_since,
      waiting.id AS waiting_run, waiting.since AS waiting_since, last_success,
      job.name = ANY(\(jobs)) OR EXISTS (
        SELECT FROM jobkit.worker
        WHERE seen_at > \(now - aliveFor) AND job.name = ANY(jobs) AND NOT by_hand
      ) AS has_daemon
    FROM (
      SELECT count(*) AS daemons, count(*) FILTER (WHERE draining) AS draining,
        count(*) FILTER (WHERE ready_at IS NOT NULL AND NOT draining) AS ready
      FROM jobkit.worker
      WHERE seen_at > \(now - aliveFor) AND name <> \(daemon) AND NOT by_hand
    ) AS alive
    LEFT JOIN jobkit.job ON true
    LEFT JOIN LATERAL (
      SELECT id, greatest(scheduled_for, decided_at) AS since FROM jobkit.run
      WHERE run.job = job.name AND state = 'held' ORDER BY id LIMIT 1
    ) AS held ON true
    LEFT JOIN LATERAL (\(unbegunTick)) AS waiting ON true
    LEFT JOIN LATERAL (
      SELECT max(finished_at) AS last_success FROM (
        SELECT state, finished_at FROM jobkit.run
        WHERE run.job = job.name AND trigger = 'schedule'
        ORDER BY scheduled_for DESC LIMIT \(newest)
      ) AS newest WHERE state = 'succeeded'
    ) AS success ON true
    ORDER BY job.name
    """
  }

  /// The oldest tick of a job that waits for its first worker, in SQL.
  ///
  /// A run that was begun is due again after a retry or an approval: that its tick is old says nothing.
  private static let unbegunTick: Statement = """
    SELECT id, greatest(scheduled_for, decided_at) AS since FROM jobkit.run
    WHERE run.job = job.name AND state = 'due' AND trigger = 'schedule' AND started_at IS NULL
    ORDER BY id LIMIT 1
    """

  /// A daemon that was not seen for so long is gone, or cut off: it shows itself each 15 seconds.
  static let aliveFor = Duration.seconds(45)

  /// How many ticks of a job are looked at once, at the start, and then each time.
  static let mostRows = 2000
  static let fewRows = 20
}

extension Survey {
  /// Reads what was asked for; a daemon that asks is alive beside those that the ledger shows.
  init(
    _ rows: Rows, byDaemon: Bool = false, isReady: Bool = false, isDraining: Bool = false,
    at now: Instant
  ) throws(PostgresError) {
    self.now = now
    daemons = (byDaemon ? 1 : 0) + (try rows.first?["daemons"] ?? 0)
    ready = (isReady && !isDraining ? 1 : 0) + (try rows.first?["ready"] ?? 0)
    draining = (isDraining ? 1 : 0) + (try rows.first?["draining"] ?? 0)
    var jobs: [Job] = []
    for row in rows {
      guard try row["name", as: String?.self] != nil else { continue }
      jobs.append(try Job(row))
    }
    self.jobs = jobs
  }
}

extension Survey.Job {
  fileprivate init(_ row: Row) throws(PostgresError) {
    name = try row["name"]
    decidedUntil = try row["decided_until"]
    pause = try Pause(row)
    held = try Survey.Waiting(run: row["held_run"], since: row["held_since"])
    waiting = try Survey.Waiting(run: row["waiting_run"], since: row["waiting_since"])
    lastSuccess = try row["last_success"]
    hasDaemon = try row["has_daemon"]
  }
}

extension Survey.Waiting {
  fileprivate init?(run: Int?, since: Instant?) {
    guard let run, let since else { return nil }
    self.init(run: run, since: since)
  }
}
