package import JobKit
public import LocalTime
public import Postgres

extension Ledger {
  /// The median of what the latest runs of a job planned, or nothing while there are too few of them.
  package static func usualPlan(
    of job: JobName, on connection: borrowing Connection
  ) throws(PostgresError) -> Int? {
    try connection.run(
      """
      SELECT CASE WHEN count(*) >= \(fewestForUsual)
        THEN percentile_disc(0.5) WITHIN GROUP (ORDER BY planned) END AS usual
      FROM (
        SELECT planned FROM jobkit.run
        WHERE job = \(job) AND trigger = 'schedule' AND state = 'succeeded' AND planned IS NOT NULL
        ORDER BY scheduled_for DESC LIMIT 28
      ) AS latest
      """
    ).only["usual"]
  }

  private static let fewestForUsual = 7

  /// Writes how many a run is about to touch; the first number stands.
  ///
  /// It does not wait for the disk: with it a crash of the server forgets whatever was done by it.
  package static func record(
    plan planned: Int, of fence: Fence, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      keepingPlanOf: """
        WITH noted AS (
          UPDATE jobkit.run SET planned = \(planned) WHERE id = \(fence.run) AND planned IS NULL
          RETURNING id
        )
        SELECT set_config('synchronous_commit', 'off', true) FROM noted
        """)
  }

  /// Whether a part of a run has written anything.
  package static func hasEffects(
    _ run: Int, on connection: borrowing Connection
  ) throws(PostgresError) -> Bool {
    try connection.run(
      """
      SELECT EXISTS (
        SELECT FROM jobkit.part
        WHERE run = \(run) AND (state = 'succeeded' OR cursor IS NOT NULL OR done > 0
          OR cardinality(counter_values) > 0)
      ) AS has_effects
      """
    ).only["has_effects"]
  }

  /// Holds a run until somebody approves of it, and gives the part back that found out.
  ///
  /// The first part that finds out is told of: the others find the same at the same time.
  package static func hold(
    _ claim: Claim, planned: Int, because objection: String, at now: Statement,
    on connection: borrowing Connection
  ) throws {
    let held = try connection.run(
      """
      WITH part AS (
        UPDATE jobkit.part SET state = 'due', daemon = NULL, lease_until = NULL, slot = NULL,
          not_before = \(now), \(lettingGo(at: now))
        WHERE \(claim.isOurs)
        RETURNING run
      ), before AS (
        SELECT id AS run, state FROM jobkit.run WHERE id = (SELECT run FROM part) FOR UPDATE
      ), run AS (
        UPDATE jobkit.run
        -- Whoever planned more slowly does not undo an approval.
        SET state = CASE WHEN approved_at IS NULL THEN 'held' ELSE run.state END,
          reason = CASE WHEN approved_at IS NULL THEN \(objection) ELSE reason END,
          planned = \(planned)
        FROM before WHERE id = before.run
        RETURNING id, job, run.state, before.state AS was
      ), noticed AS (
        \(noticing("'held', job, id, 1 FROM run WHERE state = 'held' AND was <> 'held'", at: now))
      )
      SELECT FROM run
      """)
    guard held.affected == 1 else { throw FenceLost(fence: claim.fence) }
  }
}

extension Ledger {
  /// Lets a held run go on as it planned; false when it is not held.
  public static func approve(
    _ run: Int, by author: String, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Bool {
    try connection.run(
      """
      UPDATE jobkit.run
      SET state = 'due', reason = NULL, start_before = NULL, approved_at = \(now),
        approved_by = \(author)
      WHERE id = \(run) AND state = 'held'
      """
    ).affected == 1
  }
}
