public import JobKit
public import LocalTime
public import Postgres

extension Ledger {
  /// What is known of a job, held still until the transaction ends: two daemons that believe they
  /// must decide the same ticks do so one after the other, and the second finds them decided.
  ///
  /// The lock is a statement of its own: what is read in the same statement would be as old as the
  /// wait for the lock. It is none of a row's key: an app that asks for a run holds that until its
  /// transaction ends, and keeps nobody from deciding meanwhile.
  package static func selectForDecision(of job: JobName, at now: Instant) -> [Statement] {
    let lock: Statement = "SELECT FROM jobkit.job WHERE name = \(job) FOR NO KEY UPDATE"
    let snapshot: Statement = """
      SELECT decided_until, repeats_until, paused_at, paused_by, pause_reason, paused_until,
        blocked_since, blocked_because,
        EXISTS (SELECT FROM jobkit.run WHERE job = name AND trigger <> 'backfill'
          AND state = 'running') AS has_running,
        EXISTS (SELECT FROM jobkit.run WHERE job = name AND trigger <> 'backfill'
          -- What is too late to start waits no more, though nobody has written that down yet.
          AND (state = 'held' OR state = 'due' AND coalesce(start_before >= \(now), true))
        ) OR coalesce((
          -- All of them: for the first the planner might walk all runs.
          SELECT bool_or(after_until > \(now + endOfWait) OR after_missing = 'run')
          FROM jobkit.run WHERE job = name AND \(waitsForJobs)
        ), false) AS has_waiting,
        -- One that is to begin later was noted by a clock that was wrong.
        (SELECT schedule FROM jobkit.schedule WHERE job = name AND since <= decided_until
          ORDER BY since DESC LIMIT 1) AS schedule
      FROM jobkit.job WHERE name = \(job)
      """
    return [lock.keepingPlan, snapshot.keepingPlan]
  }

  /// A tick whose wait for other jobs ends so soon is over for the next one: that may be decided a moment before the
  /// maintenance loop writes it off.
  private static let endOfWait = Duration.seconds(1)

  /// What the answers to ``selectForDecision(of:at:)`` say; nothing when the job is unknown.
  package static func snapshot(in answers: [Rows]) throws(PostgresError) -> JobSnapshot? {
    guard let row = answers.last?.first else { return nil }
    return try JobSnapshot(row)
  }

  /// Makes jobs known that no daemon has scheduled yet; their ticks begin when one does.
  public static func enter(
    _ jobs: [JobName], at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      """
      INSERT INTO jobkit.job (name, known_since, decided_until)
      SELECT name, \(now), \(now) FROM unnest(\(jobs)) AS name
      ON CONFLICT (name) DO NOTHING
      """)
  }

  /// Up to where the ticks of each of `jobs` are decided, and by which schedule.
  package static func cursors(
    of jobs: [JobName], on connection: borrowing Connection
  ) throws(PostgresError) -> [JobName: (cursor: Instant?, schedule: String?)] {
    let rows = try connection.run(
      """
      SELECT name, decided_until,
        (SELECT schedule FROM jobkit.schedule WHERE job = name AND since <= decided_until
          ORDER BY since DESC LIMIT 1) AS schedule
      FROM jobkit.job WHERE name = ANY(\(jobs))
      """)
    var cursors: [JobName: (cursor: Instant?, schedule: String?)] = [:]
    for row in rows { cursors[try row["name"]] = (try row["decided_until"], try row["schedule"]) }
    return cursors
  }

  /// Lets a job go on from now whose cursor lies in the future, and remembers where it was.
  package static func rewindCursor(
    of job: JobName, by step: ClockStep
  ) -> Statement {
    """
    UPDATE jobkit.job
    SET decided_until = \(step.now), repeats_until = greatest(repeats_until, \(step.cursor))
    WHERE name = \(job)
    """
  }

  /// Writes a row for each tick, with its part when it is due, and moves the cursor behind them.
  ///
  /// A tick that has a row already keeps that one. Of a job that comes after others it waits, for the newest ticks that
  /// these have by `schedules`.
  package static func writing(
    _ decision: Decision, of job: ScheduledJob, knowing schedules: [JobName: Schedule] = [:],
    repeatsUntil: Instant?, by daemon: String, at now: Instant
  ) -> Statement {
    let awaited = Awaited(decision.ticks, of: job, knowing: schedules, at: now)
    let rows = TickRows(decision.ticks, of: job, runnable: awaited.state, at: now)
    let moment = moment(of: decision.ticks, of: job, repeatsUntil: repeatsUntil, at: now)
    let statement: Statement = """
      WITH tick AS (
        INSERT INTO jobkit.run (
          job, scheduled_for, trigger, state, fate, reason, ticks, first_tick, exclusive, priority,
          percent, start_before, parts, parts_left, decided_at, decided_by, finished_at\(awaited.columns))
        SELECT \(job.name), \(moment), 'schedule', state, fate, reason, ticks, first_tick,
          \(job.policies.overlap.isExclusive), \(job.policies.priority),
          \(job.percent), start_before,
          CASE state WHEN \(awaited.state) THEN \(job.parts) ELSE 0 END,
          CASE state WHEN \(awaited.state) THEN \(job.parts) ELSE 0 END,
          \(now), \(daemon), CASE state WHEN \(awaited.state) THEN NULL ELSE \(now) END\(awaited.values)
        FROM unnest(
          \(rows.scheduledFor), \(rows.states), \(rows.fates), \(rows.reasons), \(rows.counts),
          \(rows.firstTicks), \(rows.startBefore)\(awaited.arrays)
        ) AS tick (scheduled_for, state, fate, reason, ticks, first_tick, start_before\(awaited.names))
        ON CONFLICT (job, scheduled_for) WHERE trigger = 'schedule' DO NOTHING
        RETURNING id, state, fate, scheduled_for, ticks
      )\(decision.ticks.contains { $0.fate.cause?.state == .missed } ? noticingMissed(of: job, at: now) : ""), part AS (
        INSERT INTO jobkit.part (run, number, job, state, priority, not_before)
        SELECT id, number, \(job.name), 'due', \(job.policies.priority),
          scheduled_for + make_interval(secs => \(job.delay / .seconds(1)))
        FROM tick CROSS JOIN generate_series(0, \(job.parts - 1)) AS number
        WHERE tick.state = 'due'
      )
      UPDATE jobkit.job SET decided_until = \(rows.last) WHERE name = \(job.name)
      """
    return statement.keepingPlan
  }

  private static func noticingMissed(of job: ScheduledJob, at now: Instant) -> Statement {
    let missed: Statement = """
      'missed', \(job.name)::text, id, ticks FROM tick
      WHERE coalesce(fate, state) = 'missed'
      """
    return ", noticed AS (\(noticing(missed, at: "\(now)")))"
  }

  /// The moment under which a tick is written.
  ///
  /// It is the tick's own, but for one that comes again after the clock was set back: up to `repeatsUntil` that
  /// one is written a microsecond after the first. Of times on a wall only those come again that a clock which
  /// was wrong has written off: what ran does not run twice.
  private static func moment(
    of ticks: [Tick], of job: ScheduledJob, repeatsUntil: Instant?, at now: Instant
  ) -> Statement {
    guard let repeatsUntil, ticks.contains(where: { $0.scheduledFor <= repeatsUntil })
    else { return "scheduled_for" }
    let comesAgain: Statement =
      job.schedule.isElapsed
      ? "true" : "run.state IN ('missed', 'skipped', 'collapsed') AND run.decided_at > \(now)"
    return """
      coalesce((
        SELECT CASE WHEN \(comesAgain) THEN run.scheduled_for + interval '1 microsecond' END
        FROM jobkit.run
        WHERE job = \(job.name) AND trigger = 'schedule'
          AND run.scheduled_for >= tick.scheduled_for
          AND run.scheduled_for < tick.scheduled_for + interval '1 millisecond'
          AND tick.scheduled_for <= \(repeatsUntil)
        ORDER BY run.scheduled_for DESC LIMIT 1
      ), tick.scheduled_for)
      """
  }
}
