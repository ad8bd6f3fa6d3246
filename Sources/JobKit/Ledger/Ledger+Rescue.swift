internal import LocalTime
internal import Postgres

extension Ledger {
  /// Takes back the parts whose worker has gone silent for longer than its lease: another goes on.
  ///
  /// A part that lost its worker too often has failed. Only those of `jobs`, which this program has code for: how often another's job may be
  /// interrupted is not ours to know.
  static func rescue(
    _ jobs: [(name: JobName, interruptions: Int)], at now: Instant,
    on connection: borrowing Connection
  ) throws(PostgresError) -> [RescuedPart] {
    let rows = try connection.run(rescuing(jobs, at: now))
    var rescued: [RescuedPart] = []
    for row in rows { rescued.append(try RescuedPart(row)) }
    return rescued
  }

  private static func rescuing(
    _ jobs: [(name: JobName, interruptions: Int)], at now: Instant
  ) -> Statement {
    """
    WITH silent AS (
      SELECT run, number, worker, interruptions + 1 > cap AS is_over
      FROM jobkit.part
      JOIN unnest(\(jobs.map(\.name)), \(jobs.map(\.interruptions))) AS known (job, cap) USING (job)
      WHERE state = 'running' AND lease_until < \(now)
      ORDER BY run, number
      LIMIT 1000
      FOR UPDATE OF part SKIP LOCKED
    ), rescued AS (
      UPDATE jobkit.part
      SET interruptions = interruptions + 1, worker = NULL, lease_until = NULL,
        slot = NULL, epoch = epoch + 1,
        state = CASE WHEN is_over THEN 'failed' ELSE 'due' END,
        finished_at = CASE WHEN is_over THEN \(now) END,
        not_before = \(now),
        error = CASE WHEN is_over THEN
          'lost its worker ' || interruptions + 1 || ' times: does it end the process?' END
      FROM silent WHERE (part.run, part.number) = (silent.run, silent.number)
      RETURNING part.run, part.number, part.job, silent.worker, is_over, interruptions
    ), closed AS (
      UPDATE jobkit.run
      SET \(closing("ended", failed: "ended", cancelled: "0", at: "\(now)"))
      FROM (SELECT run, count(*)::integer AS ended FROM rescued WHERE is_over GROUP BY run) AS over
      WHERE id = over.run
    )
    SELECT run, number, job, worker, is_over, interruptions FROM rescued
    """
  }
}

/// A part whose worker went silent.
struct RescuedPart: Sendable, Equatable {
  let run: Int
  let number: Int
  let job: JobName
  let lostWorker: String
  let interruptions: Int

  /// Whether it is not tried again.
  let isOver: Bool

  init(_ row: Row) throws(PostgresError) {
    run = try row["run"]
    number = try row["number"]
    job = try row["job"]
    lostWorker = try row["worker"]
    interruptions = try row["interruptions"]
    isOver = try row["is_over"]
  }
}
