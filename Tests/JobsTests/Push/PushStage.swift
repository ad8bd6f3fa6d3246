import JobKit
import Ledger
import LocalTime
import Postgres
import TestKit

@testable import Jobs

/// A stage with learners to plan pushes for, nobody of them held out.
struct PushStage {
  let stage: Stage
  let job: ScheduleDailyPush

  init(at text: String, chunk: Int = 2000) throws {
    stage = try Stage(at: text, with: .learning)
    var rules = PushRules()
    rules.holdoutPermille = 0
    rules.chunk = chunk
    job = ScheduleDailyPush(rules: rules)
  }

  /// A learner with one device and pushes on.
  func add(_ user: Int, zone: String = "Asia/Seoul", at created: String = "2026-01-01T00:00:00Z")
    throws
  {
    let created = try Instant(created)
    try stage.connection.run(
      """
      INSERT INTO learning.users (user_id, display_name, zone, push_opt_in, created_at, changed_at)
      VALUES (\(user), 'learner', \(zone), true, \(created), \(created))
      """)
    try stage.connection.run(
      """
      INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at)
      VALUES (\(user), 1, 'apns', 'token', \(created))
      """)
  }

  /// A session that ended at a local time, was 10 minutes long, and was received a minute later or then.
  func study(
    _ user: Int, _ session: Int, end: String, zone: String = "Asia/Seoul", received: String? = nil
  ) throws {
    let local = try LocalDateTime(end)
    let ended = try stage.zones.zone(named: zone).instant(of: local)
    let received = try received.map { try Instant($0) } ?? ended.advanced(bySeconds: 60)
    try stage.connection.run(
      """
      INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at, ended_at,
        completed, local_day, accuracy, first_try_rate, hint_rate, score, source, server_received_at)
      VALUES (\(user), \(session), gen_random_uuid(), 'people', \(ended.advanced(bySeconds: -600)),
        \(ended), true, \(local.date), 1, 1, 0, 10, 'online', \(received))
      """)
  }

  func run(_ arguments: [String: String] = [:]) throws -> RunRecord {
    try stage.run(job, arguments: arguments)
  }

  /// Turns the clock to an instant and runs the job for it.
  func run(at text: String) throws -> RunRecord {
    stage.clock.turn(to: try Instant(text))
    return try run()
  }

  /// Runs the job for an instant that has passed.
  func run(late text: String) throws -> RunRecord {
    try run(for: Instant(text), parts: 1)
  }

  /// Runs the job in so many parts, for a canary of so many percent.
  func run(parts: Int, percent: Int = 100) throws -> RunRecord {
    try run(for: stage.now, parts: parts, percent: percent)
  }

  private func run(for moment: Instant, parts: Int, percent: Int = 100) throws -> RunRecord {
    let definition = job.definition
    var request = Ledger.RunRequest(
      definition.name, for: moment, parts: parts, policies: definition.policies, by: "test")
    request.percent = percent
    let number = try Ledger.enter(request, at: stage.now, on: stage.connection)
    try stage.goOn(with: job)
    return try stage.record(of: number)
  }

  /// Every row as `user day kind state reason`, in order.
  func rows() throws -> [String] {
    try stage.connection.run(
      """
      SELECT concat_ws(' ', user_id, local_day, kind, state, reason) AS row
      FROM learning.notifications ORDER BY user_id, local_day
      """
    ).map { try $0["row"] }
  }

  /// All that the job has written, to be compared; perhaps without when it looked at whom.
  func content(withLooks: Bool = true) throws -> String {
    let looked: Statement = withLooks ? "looked_at" : "NULL"
    return try stage.text(
      """
      SELECT (SELECT coalesce(string_agg(row::text, ' ' ORDER BY user_id, local_day), '')
          FROM learning.notifications AS row)
        || (SELECT coalesce(string_agg(concat_ws(' ', user_id, look_at, \(looked)), ', ' ORDER BY user_id), '')
          FROM learning.push_agenda)
      """)
  }

  /// How many rows were written anew since they were last read so, by their hidden columns.
  func versions() throws -> String {
    try stage.text(
      """
      SELECT (SELECT string_agg(xmin::text || ctid::text, ' ' ORDER BY user_id, local_day)
          FROM learning.notifications)
        || (SELECT string_agg(xmin::text || ctid::text, ' ' ORDER BY user_id) FROM learning.push_agenda)
      """)
  }
}
