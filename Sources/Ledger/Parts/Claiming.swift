package import JobKit
package import Postgres

/// The statement of a claim: what a worker asks for, in SQL.
package struct Claiming {
  let most: Int
  let jobs: [JobName]

  /// How many parts at once some of the jobs may have.
  let slots: [JobName: Int]

  /// The only run whose parts are wanted, or nothing.
  let run: Int?
  let daemon: DaemonID
  let lease: Duration
  let now: Statement

  /// Whether what the worker has done before is not safe on the server's disk yet, and becomes so by this.
  let isSafe: Bool

  package init(
    most: Int, jobs: [JobName], slots: [JobName: Int], run: Int?, daemon: DaemonID,
    lease: Duration, now: Statement, isSafe: Bool
  ) {
    self.most = most
    self.jobs = jobs
    self.slots = slots
    self.run = run
    self.daemon = daemon
    self.lease = lease
    self.now = now
    self.isSafe = isSafe
  }

  package var statement: Statement {
    """
    WITH hurry AS MATERIALIZED (\(hurry)), candidate AS (\(candidates)), due AS (
      SELECT part.run, part.number, part.job FROM candidate
      -- As a look for each candidate, in their order: the first that nobody has locked ends the search.
      CROSS JOIN LATERAL (
        SELECT run, number, job FROM jobkit.part
        WHERE run = candidate.run AND number = candidate.number
          AND state = 'due' AND not_before <= \(now)
        FOR UPDATE SKIP LOCKED
      ) AS part
      LIMIT \(verbatim: "\(most)")
    )\(slotted), claimed AS (
      UPDATE jobkit.part
      SET state = 'running', daemon = \(daemon.text), epoch = epoch + 1, slot = due.slot,
        lease_until = \(now) + make_interval(secs => \(lease / .seconds(1))),
        started_at = coalesce(started_at, \(now)), began_at = \(now), tries = tries + 1,
        last_daemon = \(daemon.text), last_epoch = epoch + 1
      FROM \(slots.isEmpty ? Self.unslotted : "slotted") AS due
      WHERE (part.run, part.number) = (due.run, due.number)
      RETURNING part.*
    ), opened AS (
      UPDATE jobkit.run
      SET state = 'running', started_at = coalesce(started_at, \(now)),
        version = \(daemon.version), settings_hash = \(daemon.settingsHash)
      -- As an array, which is looked up by number and by nothing else.
      WHERE state = 'due' AND id = ANY(ARRAY(SELECT run FROM claimed))
    )
    SELECT claimed.run, number, epoch, daemon, failures, worker_losses, losses_without_progress,
      greatest(tries, failures + worker_losses + 1) AS attempt, cursor, done, total, counter_names,
      counter_values, run.job, scheduled_for, trigger, parts, percent, planned,
      approved_at IS NOT NULL AS is_approved, argument_names, argument_values, \(alsoDue) AS also_due,
      \(hasRunBehind) AS has_run_behind
    FROM claimed JOIN jobkit.run ON run.id = claimed.run CROSS JOIN hurry
    ORDER BY claimed.priority DESC, not_before, claimed.run, number
    """
  }

  /// The jobs of the candidates in their order, once for each part, where a look at all jobs was for one part.
  private var alsoDue: Statement {
    most == 1 && run == nil && jobs.count > 1
      ? "ARRAY(SELECT job FROM candidate)" : "'{}'::text[]"
  }

  /// Whether another run of the job is due, where the claim was for one part.
  ///
  /// Its order leads to the index.
  private var hasRunBehind: Statement {
    guard most == 1, run == nil else { return "false" }
    return """
      coalesce((SELECT true FROM jobkit.run AS other
        WHERE other.job = run.job AND other.state = 'due' AND other.id <> run.id
        ORDER BY exclusive, state, -priority, id LIMIT 1), false)
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
}

/// The parts of some jobs are numbered while they run: as many may run at once as there are numbers.
extension Claiming {
  private static let unslotted: Statement = "(SELECT run, number, NULL::smallint AS slot FROM due)"

  private var limits: Statement {
    "unnest(\(Array(slots.keys)), \(Array(slots.values)))"
  }

  /// Whether the job `wanted` has a slot left, of those that are limited.
  var hasRoom: Statement {
    guard !slots.isEmpty else { return "true" }
    return """
      NOT EXISTS (
        SELECT FROM \(limits) AS limited (job, slots)
        WHERE limited.job = wanted.job AND slots <= (
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
