public import JobKit
package import LocalTime
public import Postgres

extension Ledger {
  /// What became of a tick that waited for other jobs.
  package struct DecidedTick: Sendable, Equatable {
    package let run: Int
    package let job: JobName
    package let scheduledFor: Instant

    /// Due, skipped or missed.
    package let state: RunState

    /// Why it does not run.
    package let reason: String?

    /// How many parts of it are due.
    package let parts: Int
  }

  /// Decides the ticks of `jobs` that wait for other jobs and need wait no longer, a thousand at once: they are due,
  /// skipped or missed.
  ///
  /// Whatever another daemon has decided meanwhile is let alone: each tick is locked, and looked at again, before it is
  /// written. While its job is paused or blocked none becomes due.
  package static func decideWaiting(
    _ jobs: [ScheduledJob], at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> [DecidedTick] {
    var decided: [DecidedTick] = []
    for row in try connection.run(decidingWaiting(jobs, at: now)) {
      decided.append(try DecidedTick(row))
    }
    return decided
  }

  /// The statement that does it.
  package static func decidingWaiting(_ jobs: [ScheduledJob], at now: Instant) -> Statement {
    """
    WITH told AS (
      SELECT * FROM unnest(\(jobs.map(\.name)), \(jobs.map { $0.policies.startWithin / .seconds(1) }),
        \(jobs.map { $0.delay / .seconds(1) })) AS told (job, start_within, delay)
    ), judged AS MATERIALIZED (\(judged(at: now))), chosen AS (
      SELECT run.id, verdict, judged.reason FROM judged JOIN jobkit.run ON run.id = judged.id
      WHERE verdict IS NOT NULL AND run.state = 'waiting'
      ORDER BY run.id LIMIT 1000
      FOR UPDATE OF run SKIP LOCKED
    ), decided AS (
      UPDATE jobkit.run
      SET state = verdict, reason = chosen.reason,
        start_before = CASE verdict WHEN 'due' THEN
          greatest(\(now), scheduled_for + make_interval(secs => delay)) + make_interval(secs => start_within) END,
        after_until = \(now), finished_at = CASE WHEN verdict <> 'due' THEN \(now)::timestamptz END,
        parts_left = CASE verdict WHEN 'due' THEN parts ELSE 0 END
      FROM chosen, told WHERE run.id = chosen.id AND told.job = run.job
      RETURNING run.id, run.job, run.state, run.reason, priority, scheduled_for,
        greatest(\(now), scheduled_for + make_interval(secs => delay)) AS not_before, parts_left
    ), part AS (
      INSERT INTO jobkit.part (run, number, job, state, priority, not_before)
      SELECT id, number, job, 'due', priority, not_before
      FROM decided CROSS JOIN generate_series(0, parts_left - 1) AS number
      WHERE state = 'due'
    ), noticed AS (
      \(noticing("'missed', job, id, 1 FROM decided WHERE state = 'missed'", at: "\(now)"))
    )
    SELECT * FROM decided ORDER BY id
    """
  }

  /// What is to become of each tick that waits, in SQL; null where it waits on.
  private static func judged(at now: Instant) -> Statement {
    """
    SELECT run.id, verdict, CASE verdict
        WHEN 'skipped' THEN 'it comes after ' || cause
        WHEN 'missed' THEN coalesce('it waited for too long for ' || cause,
          'its job was paused or blocked until it had waited for too long')
      END AS reason
    FROM jobkit.run JOIN told ON told.job = run.job JOIN jobkit.job ON job.name = run.job
    CROSS JOIN LATERAL (
      SELECT bool_and(answer = 'run') AS runs, bool_or(answer = 'skip') AS skips,
        -- What is not over at the end of the wait counts as missing; what has failed stays so.
        bool_and(answer = 'run' OR after_missing = 'run' AND state IS DISTINCT FROM 'failed'
          AND state IS DISTINCT FROM 'cancelled') AS runs_late,
        (array_agg(\(cause) ORDER BY answer = 'skip' DESC, place) FILTER (WHERE answer <> 'run'))[1] AS cause
      FROM (\(predecessors(of: "run"))) AS predecessor
    ) AS summary
    CROSS JOIN LATERAL (
      SELECT CASE
        WHEN skips THEN 'skipped'
        WHEN (runs OR after_until <= \(now) AND runs_late) AND \(goesOn(at: "\(now)")) THEN 'due'
        WHEN after_until <= \(now) THEN 'missed'
      END AS verdict
    ) AS found
    WHERE \(waitsForJobs)
    """
  }

  /// How a job stands that has not succeeded, in SQL: `load_orders, whose run 17 failed`.
  private static let cause: Statement = """
    job || CASE
      WHEN tick IS NULL THEN ', which has no tick by then'
      WHEN is_undecided THEN ', whose tick of ' || \(written("tick")) || ' is not decided'
      WHEN run IS NULL THEN ', which has no run of ' || \(written("tick"))
      ELSE ', whose run ' || run || CASE state
        WHEN 'failed' THEN ' failed' WHEN 'cancelled' THEN ' was cancelled' WHEN 'skipped' THEN ' was skipped'
        WHEN 'missed' THEN ' was missed' WHEN 'waiting' THEN ' waits itself' ELSE ' is ' || state END
    END
    """

  private static func written(_ instant: Statement) -> Statement {
    "to_char(\(instant) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
  }

  /// Whether any of it may be to decide, in SQL.
  static func hasWaitingTicks(of jobs: [JobName]) -> Statement {
    "EXISTS (SELECT FROM jobkit.run WHERE \(waitsForJobs) AND job = ANY(\(jobs)))"
  }

  /// When the first of the ticks that wait has waited for long enough.
  package static func nextEndOfWait(
    on connection: borrowing Connection
  ) throws(PostgresError) -> Instant? {
    try connection.run("SELECT min(after_until) FROM jobkit.run WHERE \(waitsForJobs)").only[0]
  }

  /// The first of the ticks of a job that wait for other jobs.
  public static func waitingTick(
    of job: JobName, on connection: borrowing Connection
  ) throws(PostgresError) -> RunRecord? {
    let first: Int? = try connection.run("SELECT \(firstWaitingTick(of: "\(job)"))").only[0]
    return try first.flatMap { id throws(PostgresError) in try run(id, on: connection) }
  }

  /// The number of that, in SQL: not by the least number, for which the planner might walk all runs.
  static func firstWaitingTick(of job: Statement) -> Statement {
    """
    (SELECT (array_agg(id ORDER BY id))[1] FROM jobkit.run WHERE job = \(job) AND \(waitsForJobs))
    """
  }
}

extension Ledger.DecidedTick {
  fileprivate init(_ row: Row) throws(PostgresError) {
    (run, job) = (try row["id"], try row["job"])
    scheduledFor = try row["scheduled_for"]
    (state, reason) = (try row["state"], try row["reason"])
    parts = state == .due ? try row["parts_left"] : 0
  }
}
