import JobKit
import LocalTime
import Postgres

/// The new sessions that cannot be: no streak counts them, and the quarantine says why.
struct BadSessions {
  private var rows = Quarantine()

  init(in round: Round, _ context: borrowing JobContext) throws {
    let isAsked: Statement = context.arguments["full"] == "true" ? "true" : "false"
    let found = try context.look(
      """
      SELECT user_id, session_id::text, \(Study.flaw(of: "sessions")) FROM learning.sessions
      WHERE (\(round.isNew("server_received_at", "written_in")) OR \(isAsked))
        AND NOT \(Study.canBe("sessions"))
        AND \(context.share(of: "user_id"))
      """)
    for row in found {
      rows.put(try row[0], source: "sessions", key: try row[1], because: try row[2])
    }
  }

  /// Writes them down, and counts those that nobody knew of yet.
  func save(
    in round: Round, on connection: borrowing Connection, _ counters: inout Counters
  ) throws(PostgresError) {
    let new = try rows.save(by: round.job, at: round.asOf, on: connection)
    if new > 0 { counters.count("quarantined", new) }
  }
}
