public import JobKit
package import LocalTime
public import Postgres

extension Ledger {
  /// Lets the app ask for runs of these jobs; where nothing is new it writes nothing.
  ///
  /// False when somebody holds the row of one, which is left as it is. Of two daemons with other settings the one that has read them last is heard.
  @discardableResult
  public static func write(
    _ forms: [RequestForm], on connection: borrowing Connection
  ) throws(PostgresError) -> Bool {
    try connection.run(
      """
      WITH told AS (
        SELECT name, form FROM unnest(\(forms.map(\.job)), \(forms.map(\.text))) AS told (name, form)
      ), news AS (
        SELECT job.name, form FROM jobkit.job JOIN told USING (name)
        WHERE requests IS DISTINCT FROM form
        ORDER BY job.name FOR NO KEY UPDATE OF job SKIP LOCKED
      ), written AS (
        UPDATE jobkit.job SET requests = form FROM news WHERE job.name = news.name
        RETURNING job.name
      )
      SELECT count(*) = (SELECT count(*) FROM written) AS are_all
      FROM jobkit.job JOIN told USING (name) WHERE requests IS DISTINCT FROM form
      """
    ).only["are_all"]
  }

  /// Makes due what the app has asked for and whose time has come, a thousand runs at once, the one that was asked for
  /// first; returns how many parts that are.
  ///
  /// While a job is paused or blocked, its runs wait. One that another daemon has in its hands is let alone.
  package static func makeRequestsDue(
    of jobs: [JobName], at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    try connection.run(
      """
      WITH ready AS (
        SELECT run.id FROM jobkit.run JOIN jobkit.job ON job.name = run.job
        WHERE state = 'waiting' AND trigger = 'request' AND run.job = ANY(\(jobs))
          AND (waits_until IS NULL OR waits_until <= \(now)) AND \(goesOn(at: "\(now)"))
        ORDER BY run.id LIMIT 1000
        FOR UPDATE OF run SKIP LOCKED
      ), due AS (
        UPDATE jobkit.run SET state = 'due' FROM ready WHERE run.id = ready.id
        RETURNING run.id, job, priority, parts
      ), part AS (
        INSERT INTO jobkit.part (run, number, job, state, priority, not_before)
        SELECT id, number, job, 'due', priority, \(now)
        FROM due CROSS JOIN generate_series(0, parts - 1) AS number
        RETURNING run
      )
      SELECT count(*) FROM part
      """
    ).only[0]
  }

  /// Whether there is any of it, in SQL: two looks at an index that is empty as a rule.
  static func hasRequests(of jobs: [JobName]) -> Statement {
    func exists(_ isTime: Statement) -> Statement {
      """
      EXISTS (SELECT FROM jobkit.run JOIN jobkit.job ON job.name = run.job
        WHERE state = 'waiting' AND trigger = 'request' AND \(isTime) AND run.job = ANY(\(jobs)) AND \(goesOn(at: "now")))
      """
    }
    return "(\(exists("waits_until IS NULL")) OR \(exists("waits_until <= now")))"
  }

  /// Whether a job is neither paused nor blocked.
  static func goesOn(at now: Statement) -> Statement {
    """
    blocked_because IS NULL
      AND (paused_at IS NULL OR paused_at > \(now) OR coalesce(paused_until <= \(now), false))
    """
  }

  /// The runs of a job that the app has asked for and that are not due yet: how many, and the one that is due first.
  public static func waitingRuns(
    of job: JobName, on connection: borrowing Connection
  ) throws(PostgresError) -> (count: Int, first: RunRecord)? {
    let rows = try connection.run(
      """
      SELECT id, count(*) OVER () AS count FROM jobkit.run
      WHERE state = 'waiting' AND trigger = 'request' AND job = \(job)
      ORDER BY waits_until NULLS FIRST, id LIMIT 1
      """)
    guard let row = rows.first, let first = try run(row["id"], on: connection) else { return nil }
    return (try row["count"], first)
  }
}
