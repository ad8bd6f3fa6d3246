internal import Glibc
internal import JobKit
internal import Postgres
internal import TestSupport
internal import Testing

/// The real daemon, killed at every line of handing pushes over; the file of the pushes is the witness.
@Suite("Kill a deliverer at every line")
struct PushKillTests {
  private static let learners = 450

  /// The chunks of a run settle, claim, and write and claim until there are none: 450 pushes, 200 at a time.
  private static let places = [Failpoint.chunkBegun, .chunkWorked, .chunkSaved, .chunkCommitted]
    .flatMap { place in (2...5).map { "\(place.rawValue):\($0)" } }

  @Test(arguments: places, [1, 2])
  func `no push is sent twice, and what is not uncertain was sent`(
    place: String, parts: Int
  ) async throws {
    let end = try await onOwnThread { try Self.end(of: place, inParts: parts) }

    #expect(end.status & 0x7f == SIGKILL)
    #expect(end.doubled == [])
    #expect(end.sent + end.uncertain == Self.learners)
    #expect(end.uncertain <= 200 * parts)
    #expect(end.sentWithoutLine == 0 && end.sentWithoutEvent == 0)
  }

  /// What became of the pushes in the end.
  private struct End {
    let status: Int32
    let sent: Int
    let uncertain: Int

    /// The pushes that stand in the file more than once.
    let doubled: [String]

    /// How many were sent by what the database says, and not by what the file says.
    let sentWithoutLine: Int
    let sentWithoutEvent: Int
  }

  private static func end(of place: String, inParts parts: Int) throws -> End {
    let rehearsal = try Rehearsal(of: "deliver_pushes")
    try prepare(rehearsal, inParts: parts)
    let status = try rehearsal.daemon(dyingAt: place).status()
    try rehearsal.passTime()
    _ = try rehearsal.rest(rehearsal.daemon())
    return try account(of: rehearsal, status: status)
  }

  /// The learners are so far apart that each of two parts has more than it claims at once.
  private static func prepare(_ rehearsal: Rehearsal, inParts parts: Int) throws {
    try rehearsal.set(
      "[jobs.deliver_pushes]\nschedule = \"* * * * * *\"\nparts = \(parts)\n")
    try rehearsal.run(
      """
      WITH learner AS (
        INSERT INTO learning.users (user_id, display_name, zone, push_opt_in, quiet_from, quiet_to,
          created_at, changed_at)
        SELECT 53 * n, 'Ana', 'UTC', true, 0, 0, now(), now()
        FROM generate_series(1, \(learners)) AS n
        RETURNING user_id
      ), device AS (
        INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at)
        SELECT user_id, 1, 'apns', 'token', now() FROM learner
      )
      INSERT INTO learning.notifications (user_id, local_day, state, kind, zone, window_from, window_to,
        due_at, template, planned_at)
      SELECT user_id, current_date, 'planned', 'reminder', 'UTC', now(), now() + interval '1 hour', now(),
        'basic', now() FROM learner
      """)
  }

  private static func account(of rehearsal: Rehearsal, status: Int32) throws -> End {
    let ids = rehearsal.pushes.map { line in line.split(separator: " ")[1].description }
    let counts = Dictionary(grouping: ids, by: \.self).mapValues(\.count)
    let days: Int = try rehearsal.number(
      "SELECT count(*) FROM learning.notifications WHERE state = 'sent'")
    let inFile = Array(counts.keys.map { String($0.dropFirst(4).dropLast()) })
    return End(
      status: status, sent: days,
      uncertain: try rehearsal.number(
        "SELECT count(*) FROM learning.notifications WHERE state = 'uncertain'"),
      doubled: counts.filter { $0.value > 1 }.keys.sorted(),
      sentWithoutLine: try rehearsal.number(
        """
        SELECT count(*) FROM learning.notifications
        WHERE state = 'sent' AND user_id || '/' || local_day <> ALL(\(inFile))
        """),
      sentWithoutEvent: try rehearsal.number(
        """
        SELECT count(*) FROM learning.notifications AS push
        WHERE (state = 'sent') <> EXISTS (
          SELECT FROM learning.notification_events AS event
          WHERE event.user_id = push.user_id AND event = 'push_sent')
        """))
  }
}
