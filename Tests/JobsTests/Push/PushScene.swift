import JobKit
import Jobs
import LocalTime
import Postgres
import Push
import TestKit

/// Learners with devices and planned pushes; it is 20:00 in Seoul.
struct PushScene {
  let stage: Stage

  init(at text: String = "2026-03-01T11:00:00Z") throws {
    stage = try Stage(at: text, with: .learning)
  }

  /// Adds a learner with a device, whose token is `token-ID`.
  func add(learner id: Int, zone: String = "Asia/Seoul", locale: String = "en") throws {
    try stage.connection.run(
      """
      INSERT INTO learning.users
        (user_id, display_name, zone, locale, push_opt_in, created_at, changed_at)
      VALUES (\(id), 'Ana', \(zone), \(locale), true, '2026-01-01Z', '2026-01-01Z')
      """)
    try add(device: 1, of: id, token: "token-\(id)", registered: "2026-01-01T00:00:00Z")
  }

  func add(
    device: Int, of learner: Int, token: String, registered: String, provider: String = "apns"
  ) throws {
    try stage.connection.run(
      """
      INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at)
      VALUES (\(learner), \(device), \(provider), \(token), \(try Instant(registered)))
      """)
  }

  /// Plans a push, due `due` ago in a window that ends `lasts` after now.
  func plan(
    _ learner: Int, on day: String = "2026-03-01", kind: String = "reminder",
    template: String = "basic", variant: String? = nil, due: Duration = .zero,
    lasts: Duration = .seconds(1800), zone: String = "Asia/Seoul"
  ) throws {
    let now = try stage.now
    let day = try CivilDate(day)
    try stage.connection.run(
      """
      INSERT INTO learning.notifications (user_id, local_day, state, kind, zone, window_from, window_to,
        due_at, template, variant, planned_at)
      VALUES (\(learner), \(day), 'planned', \(kind), \(zone), \(now - due), \(now + lasts), \(now - due),
        \(template), \(variant), \(now - due))
      """)
  }

  /// Adds learners `ids` with a push each, all due now.
  func addDue(_ ids: some Sequence<Int>) throws {
    for id in ids {
      try add(learner: id)
      try plan(id)
    }
  }

  func run(_ statement: Statement) throws {
    try stage.connection.run(statement)
  }

  /// What became of a learner's push: its state, and the reason when there is one.
  func state(of learner: Int = 1, on day: String = "2026-03-01") throws -> String {
    try stage.text(
      """
      SELECT concat_ws(' ', state, reason) FROM learning.notifications
      WHERE user_id = \(learner) AND local_day = \(try CivilDate(day))
      """)
  }

  /// How many pushes are in each state.
  func states() throws -> String {
    try stage.text(
      """
      SELECT coalesce(string_agg(state || ' ' || count, ', ' ORDER BY state), '')
      FROM (SELECT state, count(*) FROM learning.notifications GROUP BY state) AS counted
      """)
  }

  /// The events of a learner's pushes, in order.
  func events(of learner: Int = 1) throws -> String {
    try stage.text(
      """
      SELECT coalesce(string_agg(event, ' ' ORDER BY at, event), '')
      FROM learning.notification_events WHERE user_id = \(learner)
      """)
  }

  /// All that the jobs write of pushes, as one value.
  func fingerprint() throws -> String {
    try stage.text(
      """
      SELECT md5(
        (SELECT coalesce(string_agg(push::text, '|' ORDER BY user_id, local_day), '')
          FROM learning.notifications AS push) || '#' ||
        (SELECT coalesce(string_agg(event::text, '|' ORDER BY user_id, local_day, event), '')
          FROM learning.notification_events AS event) || '#' ||
        (SELECT coalesce(string_agg(device::text, '|' ORDER BY user_id, device_id), '')
          FROM learning.devices AS device))
      """)
  }
}
