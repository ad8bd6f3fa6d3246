internal import JobKit
public import LocalTime
public import Postgres

extension Ledger {
  /// Which ticks a backfill would run, oldest first.
  ///
  /// What runs or waits at the moment is never doubled.
  public static func choose(
    for backfill: Backfill, on connection: borrowing Connection
  ) throws(PostgresError) -> [Instant] {
    let rows = try connection.run("\(chosen(for: backfill)) ORDER BY tick")
    var ticks: [Instant] = []
    for row in rows { ticks.append(try row["tick"]) }
    return ticks
  }

  /// Enters a run for each tick that a backfill chooses; returns their numbers, oldest tick first.
  ///
  /// They go behind all that is scheduled, and one after the other when the job's runs must be alone.
  public static func enter(
    _ backfill: Backfill, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> [Int] {
    let job = backfill.job
    let priority = job.policies.priority - behind
    try enter([job.name], at: now, on: connection)
    let rows = try connection.run(
      """
      WITH chosen AS (\(chosen(for: backfill))), run AS (
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, exclusive, priority, percent,
          parts, parts_left, decided_at, decided_by)
        SELECT \(job.name), tick, 'backfill', 'due', \(job.policies.overlap.isExclusive),
          \(priority), \(job.percent), \(job.parts), \(job.parts), \(now), \(backfill.author)
        FROM chosen ORDER BY tick
        ON CONFLICT (job, scheduled_for) WHERE trigger = 'backfill' AND finished_at IS NULL DO NOTHING
        RETURNING id
      ), part AS (
        INSERT INTO jobkit.part (run, number, job, state, priority, not_before)
        SELECT id, number, \(job.name), 'due', \(priority), \(now)
        FROM run, generate_series(0, \(job.parts - 1)) AS number
      )
      SELECT id FROM run ORDER BY id
      """)
    var runs: [Int] = []
    for row in rows { runs.append(try row["id"]) }
    return runs
  }

  /// By how much a backfill stands back behind what is scheduled.
  private static let behind = 1000

  private static func chosen(for backfill: Backfill) -> Statement {
    """
    SELECT tick FROM unnest(\(backfill.ticks)) AS tick
    -- What is not decided yet may run by itself.
    WHERE tick <= coalesce(
        (SELECT decided_until FROM jobkit.job WHERE name = \(backfill.job.name)), tick)
      AND NOT EXISTS (
        SELECT FROM jobkit.run
        WHERE job = \(backfill.job.name) AND scheduled_for = tick AND finished_at IS NULL)
      AND \(backfill.reprocess.condition(on: backfill.job.name))
    """
  }
}

extension Backfill.Reprocess {
  fileprivate func condition(on job: JobName) -> Statement {
    func exists(_ states: [String]) -> Statement {
      """
      EXISTS (SELECT FROM jobkit.run
        WHERE job = \(job) AND scheduled_for = tick AND state = ANY(\(states)))
      """
    }
    return switch self {
    case .missing: "NOT \(exists(["succeeded", "failed", "cancelled"]))"
    case .failed: "\(exists(["failed", "cancelled"])) AND NOT \(exists(["succeeded"]))"
    case .all: "true"
    }
  }
}
