public import JobKit
public import LocalTime
public import Postgres

extension Ledger {
  /// What the ledger has of a job, and what keeps it from being forgotten.
  public struct Estate: Sendable, Equatable {
    public let runs: Int

    /// The tick of the oldest run.
    public let since: Instant?
    public let schedules: Int

    /// What people were or are to be told of it.
    public let messages: Int

    /// A run that is not over.
    public let openRun: Int?

    /// A daemon, or a run by hand, that is alive and has code for the job: it would enter it anew.
    public let daemon: String?

    /// Whether the role that asks may forget a job, as the owner of the ledger may.
    public let isOurs: Bool

    /// Whether nothing keeps it.
    public var isFree: Bool { openRun == nil && daemon == nil && isOurs }
  }

  /// What the ledger has of a job; nothing when it knows no such job.
  public static func estate(
    of job: JobName, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Estate? {
    let rows = try connection.run(
      """
      SELECT
        (SELECT count(*) FROM jobkit.run WHERE run.job = job.name) AS runs,
        (SELECT min(scheduled_for) FROM jobkit.run WHERE run.job = job.name) AS since,
        (SELECT min(id) FROM jobkit.run WHERE run.job = job.name AND finished_at IS NULL) AS open_run,
        (SELECT count(*) FROM jobkit.schedule WHERE schedule.job = job.name) AS schedules,
        (SELECT count(*) FROM jobkit.notice WHERE notice.job = job.name)
          + (SELECT count(*) FROM jobkit.message WHERE message.job = job.name) AS messages,
        (SELECT min(daemon.name) FROM jobkit.daemon
          WHERE seen_at > \(now - DaemonRecord.aliveFor) AND job.name = ANY(daemon.jobs)) AS daemon,
        has_table_privilege('jobkit.job', 'DELETE') AS is_ours
      FROM jobkit.job WHERE name = \(job)
      """)
    return try rows.first.map { row throws(PostgresError) in try Estate(row) }
  }

  /// Forgets a job and all that the ledger has of it; false when something keeps it, as a run that began
  /// meanwhile.
  ///
  /// Each batch of runs is a transaction of its own: nobody waits for long, and whoever is interrupted goes on
  /// by asking again. The row of the job goes last, in a statement that looks once more whether it may.
  public static func retire(
    _ job: JobName, batch: Int = 1000, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Bool {
    for batch in batches(of: job, limit: batch) {
      repeat {
        guard try estate(of: job, at: now, on: connection)?.isFree ?? true else { return false }
      } while try connection.run(batch).affected > 0
    }
    return try connection.run(
      """
      WITH told AS (DELETE FROM jobkit.incident WHERE job = \(job))
      DELETE FROM jobkit.job
      WHERE name = \(job) AND NOT EXISTS (SELECT FROM jobkit.run WHERE run.job = job.name)
        AND NOT EXISTS (SELECT FROM jobkit.daemon
          WHERE seen_at > \(now - DaemonRecord.aliveFor) AND job.name = ANY(daemon.jobs))
      """
    ).affected == 1
  }

  /// The statements that delete a batch each of what goes before the job.
  private static func batches(of job: JobName, limit: Int) -> [Statement] {
    [
      """
      DELETE FROM jobkit.run WHERE id = ANY(ARRAY(
        SELECT id FROM jobkit.run WHERE job = \(job) AND finished_at IS NOT NULL
        ORDER BY id LIMIT \(limit)))
      """,
      """
      DELETE FROM jobkit.notice WHERE id = ANY(ARRAY(
        SELECT id FROM jobkit.notice WHERE job = \(job) LIMIT \(limit)))
      """,
      """
      DELETE FROM jobkit.message WHERE id = ANY(ARRAY(
        SELECT id FROM jobkit.message WHERE job = \(job) LIMIT \(limit)))
      """,
    ]
  }
}

extension Ledger.Estate {
  fileprivate init(_ row: Row) throws(PostgresError) {
    runs = try row["runs"]
    since = try row["since"]
    openRun = try row["open_run"]
    schedules = try row["schedules"]
    messages = try row["messages"]
    daemon = try row["daemon"]
    isOurs = try row["is_ours"]
  }
}
