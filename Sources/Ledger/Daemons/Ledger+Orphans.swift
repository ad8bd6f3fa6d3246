package import JobKit
package import LocalTime
package import Postgres

extension Ledger {
  /// The jobs that nobody has decided for a while and that no daemon alive has code for, each with the
  /// schedule that it had last.
  package static func orphans(
    undecidedFor grace: Duration, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> [(job: JobName, schedule: String)] {
    let rows = try connection.run(
      """
      SELECT job.name, schedule
      FROM jobkit.job CROSS JOIN LATERAL (
        SELECT schedule FROM jobkit.schedule WHERE schedule.job = job.name ORDER BY since DESC LIMIT 1
      ) AS latest
      WHERE decided_until < \(now - grace)
        AND NOT EXISTS (
          SELECT FROM jobkit.daemon
          WHERE job.name = ANY(daemon.jobs) AND seen_at > \(now - DaemonRecord.aliveFor))
      """)
    var orphans: [(job: JobName, schedule: String)] = []
    for row in rows { orphans.append((try row["name"], try row["schedule"])) }
    return orphans
  }
}
