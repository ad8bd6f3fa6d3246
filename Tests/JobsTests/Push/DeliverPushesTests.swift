import JobKit
import Ledger
import LocalTime
import Postgres
import Push
import TestKit
import Testing

@testable import Jobs

@Suite("Deliver pushes")
struct DeliverPushesTests {
  private let scene: PushScene
  private let postbox = Postbox()

  init() throws {
    scene = try PushScene()
  }

  private func deliver(
    through transport: any PushTransport, rules: DeliveryRules = DeliveryRules()
  ) throws -> RunRecord {
    // No time goes by between a claim and its sending: a window may end a microsecond later.
    let start = ContinuousClock.now
    return try scene.stage.run(
      DeliverPushes(through: transport, saying: .builtIn, rules: rules, stopwatch: { start }))
  }

  private func deliver() throws -> RunRecord { try deliver(through: postbox) }

  @Test func `a push is sent in its minute, with its text, and written down`() throws {
    try scene.add(learner: 1)
    try scene.plan(1, template: "streak")
    try scene.run("UPDATE learning.notifications SET streak_days = 12")

    let run = try deliver()

    #expect(run.state == .succeeded && run.counters["sent"] == 1)
    #expect(run.counters["sent/reminder"] == 1 && run.counters["sent/follow_up"] == 0)
    var message = PushMessage(
      id: "1/2026-03-01", token: PushToken("token-1"), title: "Keep your 12 day streak",
      body: "Ana, one session keeps it going. Do you have five minutes now?",
      link: "app://session/warmup", expiresAt: 1_772_370_000,
      registeredAt: try Instant("2026-01-01T00:00:00Z"))
    message.dueAt = try Instant("2026-03-01T11:00:00Z")
    message.leavesBefore = try Instant("2026-03-01T11:30:00Z")
    #expect(postbox.messages == [message])
    #expect(try scene.state() == "sent")
    #expect(try scene.events() == "push_sent")
    #expect(
      try scene.stage.text(
        """
        SELECT concat_ws(' ', sent_at = '2026-03-01T11:00:00Z', tries, device_id, provider, locale, owner)
        FROM learning.notifications
        """) == "t 1 1 apns en")
  }

  @Test func `a push whose minute is to come waits for it`() throws {
    try scene.add(learner: 1)
    try scene.plan(1, due: .microseconds(-1))

    #expect(try deliver().counters["sent"] == 0)
    #expect(try scene.state() == "planned")
  }

  @Test func `all that is due is sent, a window at a time`() throws {
    try scene.addDue(1...25)

    let run = try deliver(through: postbox, rules: DeliveryRules(window: 10))

    #expect(run.counters["sent"] == 25 && run.done == 25)
    #expect(Set(postbox.ids).count == 25 && postbox.ids.count == 25)
    #expect(try scene.states() == "sent 25")
  }

  @Test func `a second run for the same instant changes nothing`() throws {
    try scene.addDue(1...5)
    try scene.run("UPDATE learning.users SET push_opt_in = false WHERE user_id = 3")
    _ = try deliver()
    let before = try scene.fingerprint()

    let again = try deliver()

    #expect(again.done == 0 && postbox.ids.count == 4)
    #expect(try scene.fingerprint() == before)
  }

  @Test(arguments: [
    ("UPDATE learning.users SET status = 'locked'", "suppressed inactive"),
    ("UPDATE learning.users SET audience = 'child'", "suppressed no_consent"),
    ("UPDATE learning.users SET push_opt_in = false", "suppressed opted_out"),
    (
      "UPDATE learning.devices SET invalidated_at = '2026-02-01Z', invalid_reason = 'gone'",
      "suppressed no_device"
    ),
    ("UPDATE learning.devices SET registered_at = '2026-03-01T11:00:01Z'", "suppressed no_device"),
    ("UPDATE learning.users SET zone = 'Mars/Olympus'", "suppressed unknown_zone"),
    ("UPDATE learning.users SET zone = 'Asia/Vladivostok'", "sent"),
    ("UPDATE learning.users SET zone = 'America/Los_Angeles'", "suppressed quiet_hours"),
    ("UPDATE learning.users SET zone = 'Pacific/Auckland'", "suppressed other_day"),
    ("UPDATE learning.users SET quiet_from = 1200, quiet_to = 1201", "suppressed quiet_hours"),
    ("UPDATE learning.users SET quiet_from = 600, quiet_to = 840", "sent"),
    ("UPDATE learning.users SET audience = 'child', guardian_consent = true", "sent"),
    ("UPDATE learning.notifications SET window_to = '2026-03-01T11:00:00.000001Z'", "sent"),
    (
      "UPDATE learning.notifications SET window_from = '2026-03-01Z', due_at = '2026-03-01Z',"
        + " window_to = '2026-03-01T11:00:00Z'", "expired window_passed"
    ),
  ])
  func `what has changed since it was planned decides`(change: String, end: String) throws {
    try scene.add(learner: 1)
    try scene.plan(1)

    try scene.run(Statement(verbatim: change))
    let run = try deliver()

    #expect(run.state == .succeeded)
    #expect(try scene.state() == end)
    #expect(postbox.ids.count == (end == "sent" ? 1 : 0))
    #expect(try scene.events() == (end == "sent" ? "push_sent" : ""))
  }

  /// A session of the learner 1 that ended at 19:20 in Seoul.
  private func study(on day: String, receivedAt received: String) throws {
    try scene.run(
      """
      INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at, ended_at,
        completed, local_day, accuracy, first_try_rate, hint_rate, score, source, server_received_at)
      VALUES (1, 1, gen_random_uuid(), 'people', '2026-03-01T10:00:00Z', '2026-03-01T10:20:00Z', true,
        \(try CivilDate(day)), 1, 1, 0, 10, 'online', \(try Instant(received)))
      """)
  }

  @Test(arguments: [
    ("reminder", "2026-03-01", "2026-03-01T10:59:00Z", "suppressed studied_meanwhile"),
    ("first", "2026-03-01", "2026-03-01T10:59:00Z", "suppressed studied_meanwhile"),
    ("follow_up", "2026-03-01", "2026-03-01T10:59:00Z", "sent"),
    ("reminder", "2026-02-28", "2026-03-01T10:59:00Z", "sent"),
    ("reminder", "2026-03-01", "2026-03-01T11:00:01Z", "sent"),
  ])
  func `a learner who has studied on the day is not reminded of it`(
    kind: String, day: String, received: String, end: String
  ) throws {
    try scene.add(learner: 1)
    try scene.plan(1, kind: kind)
    try study(on: day, receivedAt: received)

    _ = try deliver()

    #expect(try scene.state() == end)
  }

  @Test(arguments: [
    ("2026-03-01T10:20:00Z", "sent"), ("2026-03-01T10:19:59Z", "suppressed studied_meanwhile"),
  ])
  func `a study is followed up only while it is the latest`(followed: String, end: String) throws {
    try scene.add(learner: 1)
    try scene.plan(1, kind: "follow_up")
    try scene.run("UPDATE learning.notifications SET evidence_at = \(try Instant(followed))")
    try study(on: "2026-03-01", receivedAt: "2026-03-01T10:59:00Z")

    _ = try deliver()

    #expect(try scene.state() == end)
  }

  @Test(arguments: [(28_799, "suppressed capped"), (28_800, "sent")])
  func `eight hours lie between two pushes`(seconds: Int, end: String) throws {
    for (id, state) in ["sent", "opened", "uncertain", "ignored"].enumerated() {
      try scene.add(learner: id)
      try scene.plan(id)
      try scene.plan(id, on: "2026-02-28")
      try scene.run(
        """
        UPDATE learning.notifications SET state = \(state), reason = 'any',
          sent_at = \(try scene.stage.now.advanced(bySeconds: -seconds))
        WHERE user_id = \(id) AND local_day = '2026-02-28'
        """)
    }

    _ = try deliver()

    for id in 0..<4 { #expect(try scene.state(of: id) == end) }
  }

  @Test func `of two local days that are due at once only today's push goes out`() throws {
    try scene.add(learner: 1)
    try scene.plan(1, on: "2026-03-01", due: .seconds(60))
    try scene.plan(1, on: "2026-03-02")

    _ = try deliver()

    #expect(try scene.state(on: "2026-03-01") == "sent")
    #expect(try scene.state(on: "2026-03-02") == "suppressed other_day")
  }

  @Test func `what a late run finds past its window is not sent`() throws {
    try scene.addDue(1...2)
    try scene.run(
      "UPDATE learning.notifications SET window_to = '2026-03-01T13:00:00Z' WHERE user_id = 2")

    try scene.stage.pass(.seconds(1800))
    _ = try deliver()

    #expect(try scene.state(of: 1) == "expired window_passed")
    #expect(try scene.state(of: 2) == "sent")
  }

  @Test(arguments: [false, true])
  func `a claim is on the disk before its pushes leave, if they do, whatever the role asks for`(
    isSimulated: Bool
  ) throws {
    let name: String = try scene.stage.text("SELECT current_database()")
    try scene.run("ALTER DATABASE \(identifier: name) SET synchronous_commit = off")
    try scene.addDue(1...1)
    try scene.stage.connection.run(
      script: """
        CREATE TABLE promise (of_state text, kept text);
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO promise VALUES (new.state, current_setting('synchronous_commit'));
          RETURN new;
        END $$;
        CREATE TRIGGER note BEFORE UPDATE ON learning.notifications
        FOR EACH ROW EXECUTE FUNCTION note();
        """)

    _ = try deliver(through: isSimulated ? Postbox() : Postbox(staysInProcess: false))

    #expect(
      try scene.stage.text(
        "SELECT string_agg(of_state || ' ' || kept, ', ' ORDER BY of_state) FROM promise")
        == (isSimulated ? "sending off, sent off" : "sending on, sent on"))
  }

  @Test func `pushes are never run again for the past`() {
    let definition = DeliverPushes(through: NoTransport(), saying: .builtIn).definition

    #expect(!definition.policies.mayBackfill)
  }

  @Test func `only a transport that stays in the process is used in a simulation`() {
    let local = DeliverPushes(through: NoTransport(), saying: .builtIn)
    let real = DeliverPushes(through: LogTransport { .whole($0) }, saying: .builtIn)

    #expect(!local.hasExternalEffects && real.hasExternalEffects)
  }
}
