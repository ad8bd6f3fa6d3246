public import JobKit
public import LocalTime
public import Postgres

extension Ledger {
  /// Remembers that the ticks of a job after `since` are those of another schedule.
  package static func noting(
    _ schedule: Schedule, of job: JobName, since: Instant
  ) -> Statement {
    """
    INSERT INTO jobkit.schedule (job, since, schedule)
    VALUES (\(job), \(since), \(schedule.written))
    ON CONFLICT (job, since) DO UPDATE SET schedule = excluded.schedule
    """
  }

  /// Lets the ticks of a job begin after an instant, if they were decided up to an earlier one.
  package static func beginning(_ job: JobName, at start: Instant) -> Statement {
    """
    UPDATE jobkit.job SET decided_until = \(start) WHERE name = \(job) AND decided_until < \(start)
    """
  }

  /// Makes the jobs known that the ledger has no row for, each with its schedule; their ticks begin after `start`.
  ///
  /// It is one statement: a job without a schedule begins when the next daemon does, and its ticks until then would be
  /// lost with this one. It waits for no session that holds the row of a job, which is there then, and the rows come in
  /// the order of their names, so that two daemons do not wait for each other.
  package static func beginSchedules(
    of jobs: [ScheduledJob], at start: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      """
      WITH entered AS (
        INSERT INTO jobkit.job (name, known_since, decided_until)
        SELECT name, \(start), \(start) FROM unnest(\(jobs.map(\.name))) AS name
        WHERE NOT EXISTS (SELECT FROM jobkit.job WHERE job.name = name.name) ORDER BY name
        ON CONFLICT (name) DO NOTHING
        RETURNING name
      )
      INSERT INTO jobkit.schedule (job, since, schedule)
      SELECT name, \(start), written
      FROM entered JOIN unnest(\(jobs.map(\.name)), \(jobs.map(\.schedule.written))) AS present (name, written)
        USING (name)
      """)
  }

  /// The schedules that a job had, each with the moment after which its ticks begin, oldest first.
  public static func schedules(
    of job: JobName, on connection: borrowing Connection
  ) throws(PostgresError) -> [(since: Instant, written: String)] {
    let rows = try connection.run(
      "SELECT since, schedule FROM jobkit.schedule WHERE job = \(job) ORDER BY since")
    var schedules: [(since: Instant, written: String)] = []
    for row in rows { schedules.append((try row["since"], try row["schedule"])) }
    return schedules
  }
}
