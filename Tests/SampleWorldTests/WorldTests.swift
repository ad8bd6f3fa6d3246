import Jobs
import LocalTime
import Postgres
import TestKit
import Testing

@testable import SampleWorld

/// What a world must have in it to be worth looking at: everything that a rule of the product is about.
@Suite("A world of learners")
struct WorldTests {
  private func stage() throws -> Stage {
    let stage = try Stage(at: "2026-03-01T00:00:00Z", with: .learning)
    let world = try World(
      learners: 5000, days: 30, seed: 7, now: stage.now, daysToCome: 5, zones: stage.zones)
    _ = try Filling(with: world) { _, _, _ in }.run(on: stage.connection)
    return stage
  }

  @Test func `there are enough of each kind`() throws {
    let stage = try stage()

    for (what, atLeast, query) in Self.kinds {
      #expect(try stage.count(query) >= atLeast, "\(what)")
    }
  }

  @Test func `a learner has ten sessions in a month, and three answers are kept of each`() throws {
    let stage = try stage()

    let learners = try stage.count("SELECT count(*) FROM learning.users")
    let sessions = try stage.count("SELECT count(*) FROM learning.sessions")
    let answers = try stage.count("SELECT count(*) FROM learning.attempts")

    #expect((8...13).contains(sessions / learners))
    #expect(answers > sessions * 28 / 10 && answers < sessions * 32 / 10)
  }

  private static let kinds: [(what: String, atLeast: Int, query: Statement)] = [
    ("zones", 60, "SELECT count(DISTINCT zone) FROM learning.users"),
    ("in Seoul", 1200, "SELECT count(*) FROM learning.users WHERE zone = 'Asia/Seoul'"),
    (
      "where clocks change by half an hour", 5,
      "SELECT count(*) FROM learning.users WHERE zone = 'Australia/Lord_Howe'"
    ),
    (
      "in zones that nobody knows", 1,
      "SELECT count(*) FROM learning.users WHERE zone LIKE 'Mars/%'"
    ),
    (
      "children without consent", 20,
      "SELECT count(*) FROM learning.users WHERE audience = 'child' AND NOT guardian_consent"
    ),
    ("without quiet hours", 100, "SELECT count(*) FROM learning.users WHERE quiet_from = quiet_to"),
    (
      "with quiet hours over noon", 50,
      "SELECT count(*) FROM learning.users WHERE quiet_from < 720 AND quiet_to > 720"
    ),
    ("suspended or locked", 50, "SELECT count(*) FROM learning.users WHERE status <> 'active'"),
    (
      "without a device", 200,
      """
      SELECT count(*) FROM learning.users u
      WHERE NOT EXISTS (SELECT FROM learning.devices d WHERE d.user_id = u.user_id)
      """
    ),
    ("dead devices", 100, "SELECT count(*) FROM learning.devices WHERE invalidated_at IS NOT NULL"),
    (
      "who never studied", 300,
      """
      SELECT count(*) FROM learning.users u
      WHERE NOT EXISTS (SELECT FROM learning.sessions s WHERE s.user_id = u.user_id)
      """
    ),
    (
      "who studied on nearly every day", 200,
      """
      SELECT count(*) FROM (
        SELECT user_id FROM learning.sessions GROUP BY 1 HAVING count(DISTINCT local_day) >= 25) AS u
      """
    ),
    (
      "sessions a day late and more", 100,
      "SELECT count(*) FROM learning.sessions WHERE server_received_at > ended_at + interval '1 day'"
    ),
    (
      "sessions that end before they start", 1,
      "SELECT count(*) FROM learning.sessions WHERE ended_at < started_at"
    ),
    (
      "sessions that end after they were received", 1,
      "SELECT count(*) FROM learning.sessions WHERE ended_at > server_received_at"
    ),
    (
      "who travel", 200,
      """
      SELECT count(*) FROM (
        SELECT user_id FROM demo.users GROUP BY 1 HAVING count(DISTINCT zone) > 1) AS u
      """
    ),
    (
      "who opt out or in", 100,
      """
      SELECT count(*) FROM (
        SELECT user_id FROM demo.users GROUP BY 1 HAVING count(DISTINCT push_opt_in) > 1) AS u
      """
    ),
    ("who are yet to join", 20, "SELECT count(*) FROM demo.users WHERE created_at > '2026-03-01Z'"),
    (
      "rewards that come twice", 20,
      """
      SELECT count(*) FROM (
        SELECT FROM demo.reward_pending GROUP BY user_id, idempotency_key HAVING count(*) > 1) AS r
      """
    ),
    (
      "rewards of no session", 5,
      """
      SELECT count(*) FROM demo.reward_pending
      WHERE kind = 'session_completed' AND session_id > 1000000
      """
    ),
    (
      "rewards of an unknown kind", 3,
      "SELECT count(*) FROM demo.reward_pending WHERE kind NOT IN ('session_completed', 'bonus')"
    ),
    (
      "rewards from the future", 5,
      "SELECT count(*) FROM demo.reward_pending WHERE server_clock > received_at"
    ),
    (
      "rewards a week old", 10,
      "SELECT count(*) FROM demo.reward_pending WHERE server_clock < received_at - interval '7 days'"
    ),
  ]
}
