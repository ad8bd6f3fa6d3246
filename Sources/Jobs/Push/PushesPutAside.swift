import JobKit
import LocalTime
import Postgres

/// Learners in zones that nobody knows, and sessions that cannot be: they are written down, and are in
/// nobody's way.
struct PushesPutAside {
  private var quarantine = Quarantine()
  private var withoutZone: [Int] = []
  private var withBadSessions: [Int] = []

  /// Puts aside a learner whose zone nobody knows.
  mutating func add(_ facts: PushFacts) {
    quarantine.put(
      facts.user, source: "users", key: "", because: PushReason.unknownZone.rawValue)
    withoutZone.append(facts.user)
  }

  /// Puts aside the sessions of a learner that cannot be.
  mutating func addSessions(of user: Int) {
    withBadSessions.append(user)
  }

  func save(
    at moment: Instant, _ counters: inout Counters, on connection: borrowing Connection
  ) throws {
    var quarantine = quarantine
    try Self.put(badSessionsOf: withBadSessions, at: moment, into: &quarantine, on: connection)
    let job = JobDefinition.scheduleDailyPush.name
    let found = try quarantine.save(by: job, at: moment, on: connection)
    if found > 0 { counters.count("quarantined", found) }
    try suppress(at: moment, &counters, on: connection)
  }

  private static func put(
    badSessionsOf users: [Int], at moment: Instant, into quarantine: inout Quarantine,
    on connection: borrowing Connection
  ) throws {
    guard !users.isEmpty else { return }
    let rows = try connection.run(
      """
      SELECT user_id, session_id::text, \(Study.flaw(of: "sessions")) FROM learning.sessions
      WHERE user_id = ANY(\(users)) AND server_received_at <= \(moment)
        AND NOT \(Study.canBe("sessions"))
      """)
    for row in rows {
      quarantine.put(try row[0], source: "sessions", key: try row[1], because: try row[2])
    }
  }

  /// Whoever is put aside gets nothing until the zone is corrected or known.
  private func suppress(
    at moment: Instant, _ counters: inout Counters, on connection: borrowing Connection
  ) throws(PostgresError) {
    guard !withoutZone.isEmpty else { return }
    let stopped = try connection.run(
      """
      UPDATE learning.notifications
      SET state = 'suppressed', reason = \(PushReason.unknownZone), planned_at = \(moment),
        ended_at = \(moment)
      WHERE user_id = ANY(\(withoutZone)) AND state = 'planned'
      """
    ).affected
    guard stopped > 0 else { return }
    counters.count(
      PushState.suppressed.rawValue, because: PushReason.unknownZone.rawValue, stopped)
  }
}
