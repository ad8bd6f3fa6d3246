public import JobKit
public import LocalTime
public import Postgres

extension Ledger {
  /// Pauses a job on every host: its ticks are skipped, each with the reason.
  ///
  /// False when the ledger does not know the job.
  public static func pause(
    _ job: JobName, _ pause: Pause, on connection: borrowing Connection
  ) throws(PostgresError) -> Bool {
    try connection.run(
      """
      WITH job AS (
        UPDATE jobkit.job
        SET paused_at = \(pause.since), paused_by = \(pause.author), pause_reason = \(pause.reason),
          paused_until = \(pause.until)
        WHERE name = \(job)
        RETURNING name
      )
      \(noticing("'paused_too_long', name, NULL::bigint, 1 FROM job", at: "\(pause.since)"))
      """
    ).affected == 1
  }

  /// Lets a job go on; false when it was not paused.
  ///
  /// The ledger remembers the pause as one that is over: where no daemon was up, its ticks are still to be
  /// decided, and are skipped.
  public static func resume(
    _ job: JobName, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Bool {
    try connection.run(
      """
      UPDATE jobkit.job SET paused_until = \(now)
      WHERE name = \(job) AND paused_at IS NOT NULL AND coalesce(paused_until > \(now), true)
      """
    ).affected == 1
  }
}
