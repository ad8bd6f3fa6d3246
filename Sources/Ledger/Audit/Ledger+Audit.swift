public import JobKit
public import LocalTime
public import Postgres

extension Ledger {
  /// The rows of a job's ticks in `(start, end]`, oldest first.
  public static func ticks(
    of job: JobName, after start: Instant, through end: Instant,
    on connection: borrowing Connection
  ) throws(PostgresError) -> [Audit.Row] {
    let rows = try connection.run(
      """
      SELECT coalesce(first_tick, scheduled_for) AS first, scheduled_for AS last,
        coalesce(fate, state) AS state
      FROM jobkit.run
      WHERE job = \(job) AND trigger = 'schedule'
        -- A tick that came again, after the clock was set back, lies a microsecond behind its first row.
        AND scheduled_for = date_trunc('second', scheduled_for)
        AND scheduled_for > \(start) AND coalesce(first_tick, scheduled_for) <= \(end)
      ORDER BY scheduled_for
      """)
    var ticks: [Audit.Row] = []
    for row in rows {
      ticks.append(
        Audit.Row(first: try row["first"], last: try row["last"], state: try row["state"]))
    }
    return ticks
  }
}
