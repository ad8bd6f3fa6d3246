public import JobKit
public import LocalTime
public import Postgres

extension Ledger {
  /// Which runs are looked for; what is nil does not matter.
  public struct RunFilter: Sendable {
    public var id: Int?
    public var job: JobName?
    public var state: RunState?
    public var trigger: RunTrigger?

    /// What a run's reason or error, or the name of who entered it, has in it.
    public var text: String?

    /// From when on, and before when: of a scheduled run the tick counts, of any other its start.
    public var since: Instant?
    public var until: Instant?
    public var limit = 50

    /// Only runs that are not over.
    public var isUnfinished = false

    public init() {}

    /// Whether every run fulfils it.
    public var isOpen: Bool { conditions.isEmpty }
  }

  /// The runs that a filter lets through, the one that was entered last first.
  public static func runs(
    _ filter: RunFilter, on connection: borrowing Connection
  ) throws(PostgresError) -> [RunRecord] {
    var runs: [RunRecord] = []
    for row in try connection.run(newest(filter)) { runs.append(try RunRecord(row)) }
    return runs
  }

  /// The statement that finds them, each with what its parts come to.
  package static func newest(_ filter: RunFilter) -> Statement {
    """
    SELECT run.*, part.done, part.total, part.error, worked, began, working, held, lease_until,
      due_from, failures, counter_names, counter_values, awaited.*, \(rowsBefore)
    FROM (
      SELECT * FROM jobkit.run AS run WHERE \(filter.condition)
      ORDER BY id DESC LIMIT \(filter.limit)
    ) AS run
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(done), 0)::bigint AS done, max(error) AS error,
        CASE WHEN count(*) = count(total) THEN sum(total)::bigint END AS total,
        -- Nothing where an older version worked at some of it.
        CASE WHEN bool_and(tries > 0 OR started_at IS NULL) THEN sum(worked)::bigint END AS worked,
        count(began_at) AS working, to_timestamp(avg(extract(epoch FROM began_at))) AS began,
        count(*) FILTER (WHERE state = 'running') AS held, max(lease_until) AS lease_until,
        min(not_before) FILTER (WHERE state = 'due') AS due_from,
        coalesce(max(failures) FILTER (WHERE state = 'due'), 0)::integer AS failures
      FROM jobkit.part WHERE run = run.id
    ) AS part
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(name ORDER BY place), '{}') AS counter_names,
        coalesce(array_agg(value ORDER BY place), '{}') AS counter_values
      FROM (
        SELECT name, sum(value)::bigint AS value, min(place) AS place
        FROM jobkit.part, unnest(counter_names, counter_values) WITH ORDINALITY
          AS counter (name, value, place)
        WHERE run = run.id GROUP BY name
      ) AS counter
    ) AS counted
    CROSS JOIN LATERAL (\(awaited)) AS awaited ORDER BY id DESC
    """
  }

  /// The jobs that a run waits for, a column for each thing that is known of them.
  private static let awaited: Statement = """
    SELECT coalesce(array_agg(job ORDER BY place), '{}') AS awaited_jobs,
      coalesce(array_agg(tick ORDER BY place), '{}') AS awaited_ticks,
      coalesce(array_agg(run ORDER BY place), '{}') AS awaited_runs,
      coalesce(array_agg(state ORDER BY place), '{}') AS awaited_states,
      coalesce(array_agg(is_undecided ORDER BY place), '{}') AS awaited_undecided,
      coalesce(array_agg(answer ORDER BY place), '{}') AS awaited_answers
    FROM (\(predecessors(of: "run"))) AS predecessor WHERE run.state = 'waiting'
    """

  private static let rowsBefore: Statement =
    "\(runBefore) AS run_before, \(tickBefore) AS tick_before"

  /// The number of the run that one which is due lets go first, as a claim does.
  private static let runBefore: Statement = """
    CASE WHEN run.state = 'due' THEN coalesce(
      (SELECT min(other.id) FROM jobkit.run AS other
        WHERE other.job = run.job AND other.state = 'running' AND (other.exclusive OR run.exclusive)),
      (SELECT other.id FROM jobkit.run AS other
        WHERE other.job = run.job AND other.exclusive AND other.state = 'due'
          AND (-other.priority, other.id) < (-run.priority, run.id)
        ORDER BY -other.priority, other.id LIMIT 1)) END
    """

  /// The number of the tick's row that comes before one of a tick that did not run: a look in the index of ticks.
  private static let tickBefore: Statement = """
    CASE WHEN run.trigger = 'schedule' AND run.state IN ('skipped', 'missed') THEN
      (SELECT before.id FROM jobkit.run AS before
        WHERE before.job = run.job AND before.trigger = 'schedule'
          AND before.scheduled_for < run.scheduled_for
        ORDER BY before.scheduled_for DESC LIMIT 1) END
    """

  /// The run of this number, or nothing when there is none any more.
  public static func run(
    _ id: Int, on connection: borrowing Connection
  ) throws(PostgresError) -> RunRecord? {
    var filter = RunFilter()
    filter.id = id
    return try runs(filter, on: connection).first
  }

  /// The run of a job that goes on, or the first of those that wait, or nothing.
  ///
  /// With `priority` it is the one that keeps a run of this priority from beginning: what waits behind that
  /// does not.
  public static func openRun(
    of job: JobName, before priority: Int? = nil, on connection: borrowing Connection
  ) throws(PostgresError) -> RunRecord? {
    let isBefore: Statement = priority.map { "(state <> 'due' OR priority >= \($0))" } ?? "true"
    let rows = try connection.run(
      """
      SELECT id FROM jobkit.run
      WHERE job = \(job) AND state IN ('running', 'due', 'held') AND \(isBefore)
      ORDER BY state = 'running' DESC, state = 'due' DESC, priority DESC, id LIMIT 1
      """)
    guard let row = rows.first else { return nil }
    return try run(row[0], on: connection)
  }

  /// The run of a tick, or the row of collapsed ticks that covers it; nothing when it is not decided.
  ///
  /// One that came again, after the clock was set back, lies a microsecond behind: the last is its fate.
  public static func run(
    ofTick tick: Instant, of job: JobName, on connection: borrowing Connection
  ) throws(PostgresError) -> RunRecord? {
    let rows = try connection.run(
      """
      SELECT id FROM (
        SELECT id, scheduled_for, first_tick FROM jobkit.run
        WHERE job = \(job) AND trigger = 'schedule' AND scheduled_for >= \(tick)
        ORDER BY scheduled_for LIMIT 10
      ) AS near
      WHERE coalesce(first_tick, scheduled_for) < \(tick + .milliseconds(1))
      ORDER BY coalesce(first_tick, scheduled_for) DESC, id DESC LIMIT 1
      """)
    guard let row = rows.first else { return nil }
    return try run(row["id"], on: connection)
  }

  /// The parts of a run, or of all runs when none is named: those that run now.
  public static func parts(
    of run: Int? = nil, on connection: borrowing Connection
  ) throws(PostgresError) -> [PartRecord] {
    let areAsked: Statement = run.map { "run = \($0)" } ?? "state = 'running'"
    let rows = try connection.run(
      """
      SELECT *, coalesce(daemon, CASE WHEN last_epoch = epoch THEN last_daemon END) AS known_daemon
      FROM jobkit.part WHERE \(areAsked) ORDER BY run, number
      """)
    var parts: [PartRecord] = []
    for row in rows { parts.append(try PartRecord(row)) }
    return parts
  }

  /// Every job that the ledger knows.
  public static func jobs(
    on connection: borrowing Connection
  ) throws(PostgresError) -> [JobRecord] {
    var jobs: [JobRecord] = []
    for row in try connection.run(everyJob) { jobs.append(try JobRecord(row)) }
    return jobs
  }

  /// The statement that finds them, each with the newest of its runs that ran.
  package static var everyJob: Statement {
    """
    SELECT job.*, last.scheduled_for AS last_run, last.state AS last_state,
      (SELECT min(id) FROM jobkit.run WHERE job = name AND state = 'held') AS held_run,
      \(firstWaitingTick(of: "name")) AS waiting_run
    FROM jobkit.job
    LEFT JOIN LATERAL (
      \(newestThatRan(1)) ORDER BY scheduled_for DESC LIMIT 1
    ) AS last ON true
    ORDER BY name
    """
  }
}

extension Ledger.RunFilter {
  /// What a run has to fulfil, in SQL: only what is asked for, so that an index may lead to it.
  fileprivate var condition: Statement {
    conditions.isEmpty ? "true" : conditions.joined(by: " AND ")
  }

  private var conditions: [Statement] {
    var conditions: [Statement] = []
    if let id { conditions.append("id = \(id)") }
    if let job { conditions.append("job = \(job)") }
    if isUnfinished {
      conditions.append("(state IN ('due', 'held', 'running') OR state = 'waiting')")
    }
    switch state {
    case nil: break
    // Ticks that nobody decided for long are missed, too: one row stands for many.
    case .missed: conditions.append("(state = 'missed' OR fate = 'missed')")
    case let state?: conditions.append("state = \(state)")
    }
    if let trigger { conditions.append("trigger = \(trigger)") }
    if let text { conditions.append(Self.mentions(text)) }
    if let since { conditions.append(Self.isOf(since)) }
    if let until {
      conditions.append(
        """
        CASE trigger WHEN 'schedule' THEN scheduled_for ELSE coalesce(started_at, decided_at) END
          < \(until)
        """)
    }
    return conditions
  }

  private static func mentions(_ text: String) -> Statement {
    """
    (position(lower(\(text)) IN lower(concat_ws(' ', reason, decided_by))) > 0
      OR EXISTS (
        SELECT FROM jobkit.part WHERE part.run = run.id
          AND position(lower(\(text)) IN lower(part.error)) > 0))
    """
  }

  /// Each of these has an index that leads to what fulfils it.
  private static func isOf(_ since: Instant) -> Statement {
    """
    (scheduled_for >= \(since)
      OR trigger <> 'schedule' AND started_at >= \(since)
      OR trigger <> 'schedule' AND state IN ('due', 'held', 'running') AND decided_at >= \(since)
      OR state = 'waiting' AND decided_at >= \(since))
    """
  }
}
