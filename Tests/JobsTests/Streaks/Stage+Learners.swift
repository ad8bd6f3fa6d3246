@testable import JobKit

import LocalTime
import Postgres
import TestKit
import TestSupport

/// Learners and what they do, as the app writes it.
extension Stage {
  /// Waits until nobody's transaction is open that was when the last row was written: on a server that many
  /// tests share it would let the row be news once more.
  func awaitNeighbours() throws {
    let last: Int = try connection.run("SELECT pg_current_xact_id()::text::bigint").only[0]
    try eventually {
      let oldest: Int = try connection.run(
        "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
      ).only[0]
      return oldest > last
    }
  }

  func learner(_ id: Int, in zone: String = "UTC", autoRepair: Bool = false) throws {
    try connection.run(
      """
      INSERT INTO learning.users (user_id, display_name, zone, auto_repair, created_at, changed_at)
      VALUES (\(id), 'Ana', \(zone), \(autoRepair), '2025-01-01Z', '2025-01-01Z')
      """)
  }

  /// A session of half an hour on `day` that was received at `received`; its end is before that and, for
  /// offline study, still on the day.
  func study(_ learner: Int, _ day: String, receivedAt received: String) throws {
    try Self.study(learner, day, receivedAt: received, on: connection)
  }

  static func study(
    _ learner: Int, _ day: String, receivedAt received: String, on connection: borrowing Connection
  ) throws {
    let received = try Instant(received)
    let end = min(received, try Instant("\(day)T23:00:00Z"))
    try study(learner, try CivilDate(day), endingAt: end, receivedAt: received, on: connection)
  }

  /// A session that is received when it ends.
  func study(_ learner: Int, _ day: String, endingAt end: String) throws {
    let end = try Instant(end)
    try Self.study(
      learner, try CivilDate(day), endingAt: end, receivedAt: end, on: connection)
  }

  private static func study(
    _ learner: Int, _ day: CivilDate, endingAt end: Instant, receivedAt received: Instant,
    on connection: borrowing Connection
  ) throws {
    try connection.run(
      """
      INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at, ended_at,
        completed, local_day, accuracy, first_try_rate, hint_rate, score, source, server_received_at)
      SELECT \(learner), (SELECT count(*) + 1 FROM learning.sessions), gen_random_uuid(), 'people',
        \(end)::timestamptz - interval '30 minutes', \(end), true, \(day), 1, 1, 0, 10, 'online', \(received)
      """)
  }

  /// Studies each day at noon in UTC.
  func study(_ learner: Int, on days: String...) throws {
    for day in days { try study(learner, day, receivedAt: "\(day)T12:00:00Z") }
  }

  /// Lets the learner live in `zone` from an instant on, as the app writes it.
  func move(_ learner: Int, to zone: String, at instant: String) throws {
    try connection.run(
      """
      UPDATE learning.users SET zone = \(zone), changed_at = \(try Instant(instant))
      WHERE user_id = \(learner)
      """)
  }

  func hold(tokens: Int, of learner: Int) throws {
    try connection.run("INSERT INTO learning.brain_tokens VALUES (\(learner), \(tokens))")
    for number in 0..<tokens {
      try connection.run(
        """
        INSERT INTO learning.token_entries
        VALUES (\(learner), \("earned:2025-01-0\(number + 1):7"), 1, 'earned', '2025-02-01Z')
        """)
    }
  }

  /// Everything that was decided of streaks, in a few letters that differ when any of it does.
  func streakDigest() throws -> String {
    try text(
      """
      SELECT concat_ws(' ',
        (SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM learning.streaks AS t),
        (SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM learning.streak_events AS t),
        (SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM learning.streak_repairs AS t),
        (SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM learning.brain_tokens AS t),
        (SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM learning.token_entries AS t),
        (SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM learning.awards AS t))
      """)
  }

  /// When each row of the streaks was last written: also a row that was written with what it had.
  func streakWrites() throws -> String {
    try text(
      """
      SELECT concat_ws(' ',
        (SELECT string_agg(xmin::text, ',' ORDER BY user_id) FROM learning.streaks),
        (SELECT string_agg(xmin::text, ',' ORDER BY user_id, day) FROM learning.streak_repairs),
        (SELECT string_agg(xmin::text, ',' ORDER BY user_id) FROM learning.brain_tokens))
      """)
  }

  func streak(of learner: Int) throws -> String {
    try text(
      """
      SELECT concat_ws(' ', state, length, started_on, last_day, missed_day)
      FROM learning.streaks WHERE user_id = \(learner)
      """)
  }

  func tokens(of learner: Int) throws -> String {
    try text(
      """
      SELECT concat_ws(' ', balance, (SELECT string_agg(entry || ' ' || reason, ', ' ORDER BY at, entry)
        FROM learning.token_entries AS line WHERE line.user_id = purse.user_id AND at > '2025-12-31Z'))
      FROM learning.brain_tokens AS purse WHERE user_id = \(learner)
      """)
  }

  /// Turns the clock to this instant.
  func turn(to instant: String) throws {
    clock.turn(to: try Instant(instant))
  }
}
