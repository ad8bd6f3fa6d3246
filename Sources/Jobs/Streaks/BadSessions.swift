import JobKit
import LocalTime
import Postgres

/// The new sessions that cannot be: no streak counts them, and the quarantine says why.
struct BadSessions {
  private let scan: IncrementalScan

  /// Which sessions they are, as a condition on their columns.
  private let areNewAndBad: Statement

  init(in scan: IncrementalScan, _ context: borrowing JobContext) {
    let isAsked: Statement = context.arguments["full"] == "true" ? "true" : "false"
    self.scan = scan
    areNewAndBad = """
      (\(scan.isNew("server_received_at", "written_in")) OR \(isAsked))
        AND NOT \(Study.canBe("sessions")) AND \(context.share(of: "user_id"))
      """
  }

  /// Writes them down, and counts those that nobody knew of yet.
  ///
  /// They are looked up where they are written: of a learner who is deleted at that moment there are none
  /// when it is tried again.
  func save(
    on connection: borrowing Connection, _ counters: inout Counters
  ) throws(PostgresError) {
    let new = try connection.run(
      """
      INSERT INTO learning.quarantine (user_id, source, row_key, reason, found_at, found_by)
      SELECT user_id, 'sessions', session_id::text, \(Study.flaw(of: "sessions")), \(scan.asOf), \(scan.job)
      FROM learning.sessions WHERE \(areNewAndBad)
      ON CONFLICT (user_id, source, row_key) DO NOTHING
      """
    ).affected
    if new > 0 { counters.count("quarantined", new) }
  }
}
