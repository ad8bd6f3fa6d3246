public import JobKit
public import LocalTime
public import Postgres

extension Ledger {
  /// A run that somebody asks for.
  public struct RunRequest: Sendable {
    public let job: JobName
    public let scheduledFor: Instant
    public let parts: Int
    public let policies: Policies
    public let author: String
    public var reason: String?
    public var percent = 100
    public var arguments: [String: String] = [:]

    public init(
      _ job: JobName, for scheduledFor: Instant, parts: Int, policies: Policies, by author: String
    ) {
      self.job = job
      self.scheduledFor = scheduledFor
      self.parts = parts
      self.policies = policies
      self.author = author
    }
  }

  /// Enters a run by hand, which is due at once; returns its number.
  public static func enter(
    _ request: RunRequest, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    let names = request.arguments.keys.sorted()
    let values = names.map { request.arguments[$0] ?? "" }
    try enter([request.job], at: now, on: connection)
    return try connection.run(
      """
      WITH run AS (
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, exclusive, priority,
          percent, parts, parts_left, argument_names, argument_values, decided_at, decided_by)
        VALUES (\(request.job), \(request.scheduledFor), 'manual', 'due', \(request.reason),
          \(request.policies.overlap.isExclusive), \(request.policies.priority),
          \(request.percent), \(request.parts), \(request.parts), \(names), \(values), \(now), \(request.author))
        RETURNING id
      ), part AS (
        INSERT INTO jobkit.part (run, number, job, state, priority, not_before)
        SELECT id, number, \(request.job), 'due', \(request.policies.priority), \(now)
        FROM run, generate_series(0, \(request.parts - 1)) AS number
      )
      SELECT id FROM run
      """
    ).only["id"]
  }

  /// Asks a run to end; what nobody works at ends at once.
  ///
  /// False when the run is over or unknown.
  public static func cancel(
    _ run: Int, by author: String, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Bool {
    let asked = try connection.run(
      """
      UPDATE jobkit.run
      SET cancel_asked_at = coalesce(cancel_asked_at, \(now)),
        cancel_asked_by = coalesce(cancel_asked_by, \(author)),
        -- What waits has no part yet by which it would end.
        state = CASE state WHEN 'waiting' THEN 'cancelled' ELSE state END,
        finished_at = CASE state WHEN 'waiting' THEN \(now)::timestamptz END,
        parts_left = CASE state WHEN 'waiting' THEN 0 ELSE parts_left END,
        parts_cancelled = CASE state WHEN 'waiting' THEN parts ELSE parts_cancelled END,
        reason = CASE state WHEN 'waiting' THEN 'cancelled by ' || \(author) ELSE reason END
      WHERE id = \(run) AND finished_at IS NULL
      """
    ).affected
    _ = try endCancelled(at: now, on: connection)
    return asked == 1
  }

  /// Makes the parts of a run that failed or were cancelled due again, with as many tries as at first.
  ///
  /// False when the run is not over, or had no such part. Whoever changes the state of a run holds one of its parts: while all of them are held it stands
  /// still. So two that retry at once do it once.
  public static func retry(
    _ run: Int, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Bool {
    try connection.pipeline([
      "SELECT FROM jobkit.part WHERE run = \(run) ORDER BY number FOR UPDATE",
      """
      WITH again AS (
        UPDATE jobkit.part
        SET state = 'due', not_before = \(now), failures = 0, worker_losses = 0,
          losses_without_progress = 0, finished_at = NULL
        FROM jobkit.run
        WHERE part.run = \(run) AND run.id = part.run AND run.state IN ('failed', 'cancelled')
          AND part.state IN ('failed', 'cancelled')
        RETURNING part.run
      )
      UPDATE jobkit.run
      SET state = 'due', finished_at = NULL, reason = NULL, cancel_asked_at = NULL,
        cancel_asked_by = NULL, start_before = NULL, parts_left = again.parts,
        parts_failed = 0, parts_cancelled = 0
      FROM (SELECT count(*)::integer AS parts FROM again) AS again
      WHERE id = \(run) AND again.parts > 0
      """,
    ]).last?.affected == 1
  }
}
