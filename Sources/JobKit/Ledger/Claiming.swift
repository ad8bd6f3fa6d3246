import Postgres

/// The statement of a claim: what a worker asks for, in SQL.
struct Claiming {
  let most: Int
  let jobs: [JobName]

  /// How many parts at once some of the jobs may have.
  let slots: [JobName: Int]

  /// The only run whose parts are wanted, or nothing.
  let run: Int?
  let worker: WorkerName
  let lease: Duration
  let now: Statement

  /// Whether what the worker has done before is not safe on the server's disk yet, and becomes so by this.
  let isSafe: Bool

  var statement: Statement {
    // A limit that were a parameter would be planned for as if it were large.
    let limit: Statement = "\(verbatim: "\(most)")"
    return """
      WITH hurry AS MATERIALIZED (\(hurry)), due AS (
        SELECT part.run, part.number, part.job FROM jobkit.part
        -- As a look for each candidate, in their order: the first that may go on ends the search.
        CROSS JOIN LATERAL (SELECT FROM jobkit.run WHERE id = part.run AND \(mayGoOn) OFFSET 0) AS open
        WHERE part.state = 'due' AND part.not_before <= \(now) AND part.job = ANY(\(jobs))\(ofRun)\(hasRoom)
          AND \(Self.mayBeOpen)
        ORDER BY part.priority DESC, part.not_before, part.run, part.number
        LIMIT \(limit)
        FOR UPDATE OF part SKIP LOCKED
      )\(slotted), claimed AS (
        UPDATE jobkit.part
        SET state = 'running', worker = \(worker.text), epoch = epoch + 1, slot = due.slot,
          lease_until = \(now) + make_interval(secs => \(lease / .seconds(1))),
          started_at = coalesce(started_at, \(now))
        FROM \(slots.isEmpty ? Self.unslotted : "slotted") AS due
        WHERE (part.run, part.number) = (due.run, due.number)
        RETURNING part.*
      ), opened AS (
        UPDATE jobkit.run
        SET state = 'running', started_at = coalesce(started_at, \(now)),
          version = \(worker.version), settings_hash = \(worker.settingsHash)
        WHERE state = 'due' AND id IN (SELECT run FROM claimed)
      )
      SELECT claimed.run, number, epoch, worker, attempts, interruptions, standstills, cursor, done,
        total, counter_names, counter_values, run.job, scheduled_for, trigger, parts, percent, planned,
        approved_at IS NOT NULL AS is_approved, argument_names, argument_values
      FROM claimed JOIN jobkit.run ON run.id = claimed.run CROSS JOIN hurry
      ORDER BY claimed.priority DESC, not_before, claimed.run, number
      """
  }

  /// Lets the worker begin before the claim is safe on the server's disk.
  ///
  /// It is safe by the time that anything else is: what the worker commits comes behind it in the log. A
  /// server that crashes before forgets the claim with all of the work under it, and the part is claimed
  /// anew. A worker that does not notice, as its connection was to a pooler, is refused whatever it writes
  /// next: see ``Claim``.
  private var hurry: Statement {
    isSafe ? "SELECT" : "SELECT set_config('synchronous_commit', 'off', true)"
  }

  /// Tells most parts that have to wait from others at no cost.
  ///
  /// Their job has a run that must be alone, and they are not of it. Thousands may wait so, each to be
  /// looked at by every claim.
  private static let mayBeOpen: Statement = """
    (part.run = ANY(ARRAY(SELECT id FROM jobkit.run WHERE state = 'running' AND exclusive))
      OR part.job <> ALL(ARRAY(SELECT job FROM jobkit.run WHERE state = 'running' AND exclusive)))
    """

  private var ofRun: Statement {
    run.map { "\n  AND part.run = \($0)" } ?? ""
  }

  /// Whether the run of a candidate may go on, or begin.
  ///
  /// One that goes on keeps its claim to its other parts: only one that has not begun waits for those
  /// before it, or the two would wait for each other. `OFFSET 0` keeps each of
  /// these a look into an index: as a join, it would be one with all open runs.
  private var mayGoOn: Statement {
    """
    run.state IN ('due', 'running') AND run.cancel_asked_at IS NULL
    AND (run.state <> 'due' OR coalesce(run.start_before >= \(now), true))
    AND NOT EXISTS (
      SELECT FROM jobkit.run AS other
      WHERE other.job = run.job AND other.exclusive AND other.state = 'running' AND other.id <> run.id
      OFFSET 0)
    AND (run.state <> 'due' OR NOT EXISTS (
      SELECT FROM jobkit.run AS other
      WHERE other.job = run.job AND other.exclusive AND other.state = 'due'
        AND (-other.priority, other.id) < (-run.priority, run.id)
      OFFSET 0))
    AND (NOT run.exclusive OR NOT EXISTS (
      SELECT FROM jobkit.run AS other
      WHERE other.job = run.job AND NOT other.exclusive AND (other.state = 'running'
        OR run.state = 'due' AND other.state = 'due'
          AND (-other.priority, other.id) < (-run.priority, run.id))
      OFFSET 0))
    """
  }
}

/// The parts of some jobs are numbered while they run: as many may run at once as there are numbers.
extension Claiming {
  private static let unslotted: Statement = "(SELECT run, number, NULL::smallint AS slot FROM due)"

  private var limits: Statement {
    "unnest(\(Array(slots.keys)), \(Array(slots.values)))"
  }

  private var hasRoom: Statement {
    guard !slots.isEmpty else { return "" }
    return """

        AND NOT EXISTS (
          SELECT FROM \(limits) AS limited (job, slots)
          WHERE limited.job = part.job AND slots <= (
            SELECT count(*) FROM jobkit.part AS busy
            WHERE busy.job = limited.job AND busy.state = 'running' AND busy.slot IS NOT NULL))
      """
  }

  private var slotted: Statement {
    guard !slots.isEmpty else { return "" }
    return """
      , ranked AS (
        SELECT run, number, job, row_number() OVER (PARTITION BY job) AS place FROM due
      ), slotted AS (
        SELECT run, number, free.slot
        FROM ranked LEFT JOIN \(limits) AS limited (job, slots) USING (job)
        LEFT JOIN LATERAL (
          SELECT free::smallint AS slot FROM generate_series(1, slots) AS free
          WHERE NOT EXISTS (
            SELECT FROM jobkit.part AS busy
            WHERE busy.job = limited.job AND busy.state = 'running' AND busy.slot = free)
          ORDER BY free OFFSET place - 1 LIMIT 1
        ) AS free ON true
        WHERE slots IS NULL OR free.slot IS NOT NULL
      )
      """
  }
}
