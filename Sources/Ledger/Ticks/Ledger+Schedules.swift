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

  /// Makes the jobs known that the ledger has no row for, and lets the schedules of all begin after `start` that no
  /// daemon has scheduled before: a run by hand, a pause or a backfill may have entered such a job long ago.
  ///
  /// All of it is one transaction: the ticks of a job without a schedule begin when the next daemon does, and those
  /// until then would be lost with this one. It waits for nobody who holds the row of a job: that one begins with its
  /// first decision. New rows come in the order of their names, so that two daemons do not wait for each other.
  package static func beginSchedules(
    of jobs: [ScheduledJob], at start: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    let names = jobs.map(\.name)
    try connection.transaction { connection throws(PostgresError) in
      // A statement sees what was committed before it began: whether another daemon has written a schedule is asked
      // once the rows are held.
      let held = try connection.run(
        """
        SELECT name FROM jobkit.job WHERE name = ANY(\(names)) AND \(hasNoSchedule)
        ORDER BY name FOR NO KEY UPDATE SKIP LOCKED
        """
      ).map { row throws(PostgresError) -> JobName in try row["name"] }
      try connection.run(
        """
        WITH begun AS (
          UPDATE jobkit.job SET decided_until = greatest(decided_until, \(start))
          WHERE name = ANY(\(held)) AND \(hasNoSchedule)
          RETURNING name, decided_until
        ), entered AS (
          INSERT INTO jobkit.job (name, known_since, decided_until)
          SELECT name, \(start), \(start) FROM unnest(\(names)) AS name
          WHERE NOT EXISTS (SELECT FROM jobkit.job WHERE job.name = name.name) ORDER BY name
          ON CONFLICT (name) DO NOTHING
          RETURNING name, decided_until
        )
        INSERT INTO jobkit.schedule (job, since, schedule)
        SELECT name, decided_until, written FROM (TABLE begun UNION ALL TABLE entered) AS taken
        JOIN unnest(\(names), \(jobs.map(\.schedule.written))) AS present (name, written) USING (name)
        """)
    }
  }

  private static let hasNoSchedule: Statement =
    "NOT EXISTS (SELECT FROM jobkit.schedule WHERE schedule.job = name)"

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
