import JobKit
import Jobs
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

@Suite("Sweep push outcomes")
struct SweepPushOutcomesTests {
  private let scene: PushScene

  init() throws {
    scene = try PushScene()
  }

  private func sweep(chunk: Int = 2000) throws -> RunRecord {
    try scene.stage.run(SweepPushOutcomes(rules: SweepRules(chunk: chunk)))
  }

  /// A learner with a push that was sent at 20:00 in Seoul, or counts as that.
  private func addSent(
    _ learner: Int, state: String = "sent", zone: String = "Asia/Seoul", day: String = "2026-03-01"
  ) throws {
    try scene.add(learner: learner, zone: zone)
    try scene.plan(learner, on: day, zone: zone)
    try scene.run(
      """
      UPDATE learning.notifications SET state = \(state), sent_at = due_at,
        reason = CASE WHEN \(state) = 'uncertain' THEN 'worker_lost' END
      WHERE user_id = \(learner)
      """)
  }

  private func tap(
    _ learner: Int, at text: String, on connection: borrowing Connection
  ) throws {
    try connection.run(
      """
      INSERT INTO learning.notification_events (user_id, local_day, event, at)
      VALUES (\(learner), '2026-03-01', 'push_opened', \(try Instant(text)))
      """)
  }

  private func tap(_ learner: Int = 1, at text: String) throws {
    try tap(learner, at: text, on: scene.stage.connection)
  }

  private func turn(to text: String) throws {
    scene.stage.clock.turn(to: try Instant(text))
  }

  @Test(arguments: [
    ("Asia/Seoul", "2026-03-01T14:59:59Z", "sent"),
    ("Asia/Seoul", "2026-03-01T15:00:00Z", "ignored"),
    ("Pacific/Kiritimati", "2026-03-01T10:00:00Z", "ignored"),
    ("Pacific/Niue", "2026-03-02T10:59:59Z", "sent"),
    ("Pacific/Niue", "2026-03-02T11:00:00Z", "ignored"),
    ("Mars/Olympus", "2026-03-02T23:59:59Z", "sent"),
    ("Mars/Olympus", "2026-03-03T00:00:00Z", "ignored"),
  ])
  func `what nobody opened is ignored when its local day is over`(
    zone: String, now: String, state: String
  ) throws {
    try addSent(1, zone: zone)
    try turn(to: now)

    _ = try sweep()

    #expect(try scene.state() == state)
    #expect(try scene.events() == (state == "ignored" ? "push_ignored" : ""))
  }

  @Test func `a day ends when the next begins, also on the night the clocks change`() throws {
    try addSent(1, zone: "America/New_York", day: "2026-03-08")
    try turn(to: "2026-03-20T00:00:00Z")

    _ = try sweep()

    #expect(
      try scene.stage.text(
        "SELECT (ended_at = '2026-03-09T04:00:00Z')::text FROM learning.notifications") == "true")
  }

  @Test func `a day that the calendar skips is over when the next one begins`() throws {
    try addSent(1, zone: "Pacific/Apia", day: "2011-12-29")
    try turn(to: "2011-12-30T10:00:00Z")

    _ = try sweep()

    #expect(try scene.state(on: "2011-12-29") == "ignored")
  }

  @Test func `what nobody knows of is ignored too, and says why nobody knows`() throws {
    try addSent(1, state: "uncertain")
    try turn(to: "2026-03-01T15:00:00Z")

    _ = try sweep()

    #expect(try scene.state() == "ignored worker_lost")
  }

  @Test(arguments: ["sent", "uncertain"])
  func `what was opened is opened`(state: String) throws {
    try addSent(1, state: state)
    try tap(at: "2026-03-01T11:05:00Z")
    try turn(to: "2026-03-01T15:00:00Z")

    let run = try sweep()

    #expect(try scene.state() == "opened")
    #expect(run.counters["opened"] == 1 && run.counters["ignored"] == 0)
    #expect(try scene.events() == "push_opened")
  }

  @Test func `an open that arrives late turns what was ignored into opened`() throws {
    try addSent(1)
    try turn(to: "2026-03-01T15:25:00Z")
    _ = try sweep()
    #expect(try scene.state() == "ignored")

    try tap(at: "2026-03-01T11:05:00Z")
    try turn(to: "2026-03-01T16:25:00Z")
    _ = try sweep()

    #expect(try scene.state() == "opened")
    #expect(try scene.events() == "push_opened push_ignored")
  }

  @Test func `an open that commits after a sweep that would have seen it is seen by the next`()
    throws
  {
    try addSent(1)
    try addSent(2)
    let late = try scene.stage.database.connect()
    try turn(to: "2026-03-01T15:25:00Z")
    try late.transaction { connection in
      try tap(1, at: "2026-03-01T11:05:00Z", on: connection)
      _ = try sweep()
    }
    #expect(try scene.state() == "ignored")

    try turn(to: "2026-03-01T16:25:00Z")
    _ = try sweep()

    #expect(try scene.state(of: 1) == "opened")
    #expect(try scene.state(of: 2) == "ignored")
  }

  @Test func `an open of the future waits until it has happened`() throws {
    try addSent(1)
    try tap(at: "2026-03-01T12:00:00Z")
    try turn(to: "2026-03-01T11:30:00Z")
    _ = try sweep()
    #expect(try scene.state() == "sent")

    try turn(to: "2026-03-01T12:00:00Z")
    _ = try sweep()

    #expect(try scene.state() == "opened")
  }

  @Test(arguments: ["planned", "sending", "suppressed", "expired", "failed"])
  func `what was never sent is left as it is`(state: String) throws {
    try scene.add(learner: 1)
    try scene.plan(1)
    try scene.run(
      """
      UPDATE learning.notifications SET state = \(state), reason = 'any',
        owner = CASE WHEN \(state) = 'sending' THEN '1/0' END
      """)
    try tap(at: "2026-03-01T11:05:00Z")
    try turn(to: "2026-03-05T00:00:00Z")
    let before = try scene.fingerprint()

    _ = try sweep()

    #expect(try scene.fingerprint() == before)
  }

  @Test func `a device that died 180 days ago is forgotten, a younger one is not`() throws {
    try scene.add(learner: 1)
    for (device, seconds) in [(2, -1), (3, 0)] {
      try scene.add(device: device, of: 1, token: "t", registered: "2025-01-01T00:00:00Z")
      let dead = try scene.stage.now.advanced(bySeconds: seconds - 180 * 86_400)
      try scene.run(
        """
        UPDATE learning.devices SET invalidated_at = \(dead), invalid_reason = 'Unregistered'
        WHERE device_id = \(device)
        """)
    }

    let run = try sweep()

    #expect(run.counters["devices forgotten"] == 1)
    #expect(
      try scene.stage.text("SELECT string_agg(device_id::text, ' ') FROM learning.devices") == "1 3"
    )
  }

  @Test func `chunks, and a second run, come to the same rows`() throws {
    for learner in 1...25 { try addSent(learner) }
    for learner in 1...9 { try tap(learner, at: "2026-03-01T11:05:00Z") }
    try turn(to: "2026-03-01T15:25:00Z")

    let run = try sweep(chunk: 4)
    let after = try scene.fingerprint()
    let again = try sweep(chunk: 4)

    #expect(run.counters["opened"] == 9 && run.counters["ignored"] == 16 && run.done == 25)
    #expect(again.done == 0)
    #expect(try scene.fingerprint() == after)
    #expect(try scene.states() == "ignored 16, opened 9")
  }

  @Test func `a canary's share first, and then everybody, come to the same rows`() throws {
    for learner in 1...20 { try addSent(learner) }
    for learner in 1...10 { try tap(learner, at: "2026-03-01T11:05:00Z") }
    try turn(to: "2026-03-01T15:25:00Z")
    let job = SweepPushOutcomes()
    let canary = try scene.stage.run(job, percent: 50)

    _ = try scene.stage.run(job)

    #expect((1..<20).contains(canary.done))
    #expect(try scene.states() == "ignored 10, opened 10")
  }

  @Test func `a dry run counts and changes nothing`() throws {
    try addSent(1)
    try turn(to: "2026-03-01T15:25:00Z")
    let before = try scene.fingerprint()

    let report = try scene.stage.dryRun(SweepPushOutcomes())

    #expect(report.progress.counters["ignored"] == 1)
    #expect(try scene.fingerprint() == before)
  }
}
