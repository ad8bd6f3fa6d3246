import JobKit
import LocalTime
import Postgres

/// The new sessions that cannot be: no streak counts them, and the quarantine says why.
struct BadSessions {
  private var rows = Quarantine()
  private let moment: Instant

  init(since mark: Watermark?, in context: borrowing JobContext) throws {
    moment = context.scheduledFor
    let isNew = mark?.isNew("server_received_at", "written_in") ?? "true"
    let found = try context.look(
      """
      SELECT user_id, session_id::text,
        CASE WHEN ended_at < started_at THEN 'ends_before_it_starts' ELSE 'ends_after_it_was_received' END
      FROM learning.sessions
      WHERE \(isNew) AND server_received_at <= \(moment)
        AND (ended_at < started_at OR ended_at > server_received_at)
        AND \(context.share(of: "user_id"))
      """)
    for row in found {
      rows.put(try row[0], source: "sessions", key: try row[1], because: try row[2])
    }
  }

  /// Writes them down, and counts those that nobody knew of yet.
  func save(
    by job: JobName, on connection: borrowing Connection, _ counters: inout Counters
  ) throws(PostgresError) {
    let new = try rows.save(by: job, at: moment, on: connection)
    if new > 0 { counters.count("quarantined", new) }
  }
}
