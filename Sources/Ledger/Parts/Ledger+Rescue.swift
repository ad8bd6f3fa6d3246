package import JobKit
package import LocalTime
package import Postgres

extension Ledger {
  /// Takes back the parts whose worker has gone silent for longer than its lease: another goes on,
  /// or it ends where its run was cancelled.
  ///
  /// Only those of `jobs`, which this program has code for. How often a part may lose its worker is
  /// for the next worker to say, under whose policies it would run.
  package static func rescue(
    _ jobs: [JobName], at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> [RescuedPart] {
    let rows = try connection.run(
      """
      WITH silent AS (
        SELECT run, number, daemon FROM jobkit.part
        WHERE state = 'running' AND lease_until < \(now) AND job = ANY(\(jobs))
        ORDER BY run, number
        LIMIT 1000
        FOR UPDATE SKIP LOCKED
      )
      UPDATE jobkit.part
      SET state = 'due', not_before = \(now), worker_losses = worker_losses + 1,
        losses_without_progress = losses_without_progress + 1,
        daemon = NULL, lease_until = NULL, slot = NULL, \(losingDaemon(at: "\(now)"))
      FROM silent WHERE (part.run, part.number) = (silent.run, silent.number)
      RETURNING part.run, part.number, part.job, silent.daemon, worker_losses, EXISTS (
        SELECT FROM jobkit.run WHERE id = part.run AND cancel_asked_at IS NOT NULL) AS is_cancelled
      """)
    var rescued: [RescuedPart] = []
    for row in rows { rescued.append(try RescuedPart(row)) }
    return rescued
  }
}

/// A part whose worker went silent.
package struct RescuedPart: Sendable, Equatable {
  package let run: Int
  package let number: Int
  package let job: JobName
  package let lostDaemon: String
  package let workerLosses: Int

  /// Whether its run was cancelled: then it ends, and no worker goes on with it.
  package let isCancelled: Bool

  init(_ row: Row) throws(PostgresError) {
    run = try row["run"]
    number = try row["number"]
    job = try row["job"]
    lostDaemon = try row["daemon"]
    workerLosses = try row["worker_losses"]
    isCancelled = try row["is_cancelled"]
  }
}
