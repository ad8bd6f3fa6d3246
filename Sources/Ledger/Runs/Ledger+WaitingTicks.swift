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

  /// A tick that waits, behind which the next look goes on: they are looked at in the order of their jobs and numbers.
  package struct WaitingPlace: Sendable, Equatable {
    fileprivate let job: String
    fileprivate let run: Int
  }

  /// Decides those of the next thousand ticks behind `place` that are of `jobs` and need wait no longer for other jobs.
  ///
  /// They are due, skipped or missed. `place` moves on behind the thousand, and is none at the end: however many wait, a
  /// statement takes its time and no more. Whatever another daemon has decided meanwhile is let alone: each tick is
  /// locked, and looked at again, before it is written. While its job is paused or blocked none becomes due.
  package static func decideWaiting(
    _ jobs: [ScheduledJob], after place: inout WaitingPlace?, at now: Instant,
    on connection: borrowing Connection
  ) throws(PostgresError) -> [DecidedTick] {
    let rows = try connection.run(decidingWaiting(jobs, after: place, at: now))
    var decided: [DecidedTick] = []
    for row in rows {
      // Where none is decided, there is a row that says how far the look went.
      if try row["id", as: Int?.self] != nil { decided.append(try DecidedTick(row)) }
    }
    place = try rows.first.flatMap { row throws(PostgresError) in try WaitingPlace(row) }
    return decided
  }

  private static let page = 1000

  /// The statement that does it.
  package static func decidingWaiting(
    _ jobs: [ScheduledJob], after place: WaitingPlace? = nil, at now: Instant
  ) -> Statement {
    """
    WITH told AS (
      SELECT * FROM unnest(\(jobs.map(\.name)), \(jobs.map { $0.policies.startWithin / .seconds(1) }),
        \(jobs.map { $0.delay / .seconds(1) })) AS told (job, start_within, delay)
    ), page AS MATERIALIZED (\(ticks(after: place))), judged AS MATERIALIZED (\(judged(at: now))), chosen AS (
      SELECT run.id, verdict, judged.reason FROM judged JOIN jobkit.run ON run.id = judged.id
      WHERE verdict IS NOT NULL AND run.state = 'waiting'
      ORDER BY run.id
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
    SELECT decided.*, last.* FROM (\(lastOfPage)) AS last LEFT JOIN decided ON true ORDER BY id
    """
  }

  /// The next ticks that wait, in SQL.
  private static func ticks(after place: WaitingPlace?) -> Statement {
    """
    SELECT * FROM jobkit.run WHERE \(waitsForJobs) AND (job, id) > (\(place?.job ?? ""), \(place?.run ?? 0))
    ORDER BY job, id LIMIT \(page)
    """
  }

  /// The last of them, and whether others come behind it, in SQL.
  private static var lastOfPage: Statement {
    """
    SELECT job AS last_job, id AS last_run, coalesce((
      SELECT true FROM jobkit.run WHERE \(waitsForJobs) AND (job, id) > (last.job, last.id)
      ORDER BY job, id LIMIT 1), false) AS has_more
    FROM (SELECT job, id FROM page ORDER BY job DESC, id DESC LIMIT 1) AS last
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
    FROM page AS run JOIN told ON told.job = run.job JOIN jobkit.job ON job.name = run.job
    CROSS JOIN LATERAL (
      SELECT bool_and(answer = 'run') AS runs, bool_or(answer = 'skip') AS skips,
        -- What is not over at the end of the wait counts as missing; what has failed stays so.
        bool_and(answer = 'run' OR \(runsLate)) AS runs_late,
        -- Of those the first that keeps it from running.
        (array_agg(\(cause) ORDER BY answer = 'skip' DESC, \(runsLate), place)
          FILTER (WHERE answer <> 'run'))[1] AS cause
      FROM (\(predecessors(of: "run"))) AS predecessor
    ) AS summary
    CROSS JOIN LATERAL (
      SELECT CASE
        WHEN skips THEN 'skipped'
        WHEN (runs OR after_until <= \(now) AND runs_late) AND \(goesOn(at: "\(now)")) THEN 'due'
        WHEN after_until <= \(now) THEN 'missed'
      END AS verdict
    ) AS found
    """
  }

  /// Whether a tick runs at the end of its wait beside a job that has not succeeded, in SQL.
  private static let runsLate: Statement =
    "after_missing = 'run' AND state IS DISTINCT FROM 'failed' AND state IS DISTINCT FROM 'cancelled'"

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

  /// Whether there is a tick of `jobs` that waits for other jobs, in SQL.
  ///
  /// It goes from one job with such ticks to the next in their index, which is empty as a rule: a look for each of
  /// `jobs` would cost as much as there are jobs, and one at all such ticks as many as others wait.
  static func hasWaitingTicks(of jobs: [JobName]) -> Statement {
    func first(behind place: Statement) -> Statement {
      "(SELECT job FROM jobkit.run WHERE \(waitsForJobs) AND \(place) ORDER BY job, id LIMIT 1)"
    }
    return """
      EXISTS (
        WITH RECURSIVE waiting (job) AS (
          \(first(behind: "true"))
          UNION ALL SELECT \(first(behind: "run.job > waiting.job")) FROM waiting WHERE job IS NOT NULL
        )
        SELECT FROM waiting WHERE job = ANY(\(jobs)))
      """
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

extension Ledger.WaitingPlace {
  /// The last tick of a page, unless that was the last page.
  fileprivate init?(_ row: Row) throws(PostgresError) {
    guard try row["has_more"] else { return nil }
    (job, run) = (try row["last_job"], try row["last_run"])
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
