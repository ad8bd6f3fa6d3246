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

  /// Lets the schedules begin now of those jobs that no daemon has scheduled before.
  ///
  /// A run by hand, a pause or a backfill may have entered such a job long ago.
  package static func beginSchedules(
    of jobs: [ScheduledJob], at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      """
      WITH taken AS (
        UPDATE jobkit.job SET decided_until = greatest(decided_until, \(now))
        WHERE name = ANY(\(jobs.map(\.name)))
          AND NOT EXISTS (SELECT FROM jobkit.schedule WHERE schedule.job = name)
        RETURNING name, decided_until
      )
      INSERT INTO jobkit.schedule (job, since, schedule)
      SELECT name, decided_until, written
      FROM taken JOIN unnest(\(jobs.map(\.name)), \(jobs.map(\.schedule.written))) AS present (name, written)
        USING (name)
      ON CONFLICT DO NOTHING
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
