import Config
import JobKit
import Ledger
import LocalTime
import Postgres
import Push
import TestKit
import Testing

@testable import Jobs

@Suite("What providers answer to pushes")
struct AnsweredPushTests {
  private let scene: PushScene

  init() throws {
    scene = try PushScene()
  }

  private func deliver(
    answering answer: @escaping @Sendable (PushMessage) -> Delivery
  ) throws -> RunRecord {
    try scene.stage.run(DeliverPushes(through: Postbox(answering: answer), saying: .builtIn))
  }

  /// What stands of the provider in a learner's row, as in `apns 429 -`.
  private func row(of learner: Int = 1) throws -> String {
    try scene.stage.text(
      """
      SELECT concat_ws(' ', provider, coalesce(answer, '-'), coalesce(provider_id, '-'))
      FROM learning.notifications WHERE user_id = \(learner)
      """)
  }

  @Test func `a row has what its provider said, and by what it knows the push`() throws {
    try scene.addDue(1...5)

    let run = try deliver { push in
      switch push.id.first {
      case "1": .accepted(as: "c6cf-01")
      case "2": .refused("Unregistered since 2026-02-01T00:00:00Z")
      case "3": .rejected("PayloadTooLarge")
      case "4": .uncertain("no answer came in time")
      default: .sent
      }
    }

    #expect(try row(of: 1) == "apns - c6cf-01")
    #expect(try row(of: 2) == "apns Unregistered since 2026-02-01T00:00:00Z -")
    #expect(try row(of: 3) == "apns PayloadTooLarge -")
    #expect(try row(of: 4) == "apns no answer came in time -")
    #expect(try row(of: 5) == "apns - -")
    // The learner of the refused one has no other device.
    #expect(try scene.states() == "failed 2, sent 2, uncertain 1")
    #expect(run.counters["apns"] == 5 && run.counters["apns/sent"] == 2)
    #expect(run.counters["apns/refused"] == 1 && run.counters["apns/failed"] == 1)
    #expect(run.counters["apns/uncertain"] == 1)
  }

  @Test func `a push that waits keeps why, until a try ends otherwise`() throws {
    try scene.addDue([1])
    let first = try deliver { _ in .notSent("429", wait: .seconds(60)) }
    let waiting = try row()
    try scene.stage.pass(.seconds(60))

    _ = try deliver { _ in .accepted(as: "n1") }

    #expect(waiting == "apns 429 -" && first.counters["apns"] == 0)
    #expect(try row() == "apns - n1")
  }

  @Test func `a claim that is given back untried keeps the answer of the try before`() throws {
    try scene.addDue([1])
    _ = try deliver { _ in .notSent("429", wait: .seconds(60)) }
    try scene.run(
      """
      UPDATE learning.notifications
      SET state = 'sending', owner = '1/0', epoch = 1, sending_at = \(try scene.stage.now)
      """)
    let push = try DuePush.untried(of: 1, tries: 1, at: scene.stage.now)
    var report = DeliveryReport(
      of: PushOwner(Fence(run: 1, part: 0, epoch: 1)), claimedAt: try scene.stage.now)
    report.addUntried(push)

    _ = try report.write(on: scene.stage.connection)

    #expect(try scene.state() == "planned")
    #expect(try row() == "apns 429 -")
  }

  @Test func `pushes whose deliverer was lost are uncertain at their provider`() throws {
    try scene.addDue(1...2)
    try scene.run(
      """
      UPDATE learning.notifications SET state = 'sending', sending_at = due_at, epoch = 3,
        owner = '4711/0', provider = CASE user_id WHEN 1 THEN 'fcm' END
      """)

    let run = try deliver { _ in .sent }

    #expect(run.counters["uncertain"] == 2 && run.counters["fcm/uncertain"] == 1)
  }

  @Test func `a report has delivered, refused and uncertain pushes by provider`() throws {
    var counted = Counters()
    for (name, count) in [
      ("sent", 7), ("apns", 10), ("apns/sent", 5), ("apns/refused", 2), ("apns/failed", 1),
      ("apns/uncertain", 2), ("fcm", 2), ("fcm/sent", 2),
    ] { counted.count(name, count) }
    let now = try scene.stage.now

    let report = try DeliverPushes(through: Postbox(), saying: .builtIn).report(
      on: now - .seconds(3600)..<now, counted: counted, at: now, scene.stage.connection)

    let numbers = report.numbers.filter {
      $0.count > 0 && $0.what.contains(" by ")
        || $0.what.contains(" at ") && $0.count > 0
    }
    #expect(
      numbers.map { "\($0.what) \($0.count) of \($0.whole ?? "")" } == [
        "delivered by apns 5 of handed to apns", "refused by apns 3 of handed to apns",
        "uncertain at apns 2 of handed to apns", "delivered by fcm 2 of handed to fcm",
      ])
  }

  @Test func `one learner's push is told with device, answer and the provider's name for it`()
    throws
  {
    try scene.addDue([1])
    _ = try deliver { _ in .accepted(as: "c6cf-01") }

    let record = try #require(
      try PushRecord.find(of: 1, on: CivilDate("2026-03-01"), scene.stage.connection))
    let zone = try scene.stage.zones.zone(named: "Asia/Seoul")

    // The SHA-256 of "token-1", by sha256sum.
    #expect(record.device == PushRecord.Device(id: 1, hash: "3f08aace122e"))
    let lines = record.words(in: zone)
    #expect(lines.contains("its device is number 1 (SHA-256 of its token: 3f08aace122e…)"))
    #expect(lines.contains("apns knows it as 'c6cf-01'"))
    #expect(!lines.joined().contains("token-1"))
    #expect(record.json.compact.contains(#""provider_id":"c6cf-01""#))
    #expect(!record.json.compact.contains("token-1"))
  }

  @Test func `a device with another token since has no hash, and one that is gone says why`() throws
  {
    try scene.addDue([1])
    _ = try deliver { _ in .refused("Unregistered") }
    try scene.run(
      "UPDATE learning.devices SET token = 'new', registered_at = registered_at + interval '99 days'"
    )

    let record = try #require(
      try PushRecord.find(of: 1, on: CivilDate("2026-03-01"), scene.stage.connection))
    let zone = try scene.stage.zones.zone(named: "Asia/Seoul")

    let lines = record.words(in: zone)
    #expect(
      lines.contains("its device is number 1, which its provider has called gone: 'Unregistered'"))
    #expect(lines.contains("its latest try ended with 'Unregistered'"))
  }
}

extension DuePush {
  /// A push in hand that nobody has tried.
  fileprivate static func untried(
    of learner: Int, tries: Int, at now: Instant
  ) throws -> PushClaim.ClaimedPush {
    let device = DuePush.Device(
      id: 1, provider: .apns, isSandbox: false, token: PushToken("token-1"))
    let push = DuePush(
      plan: PlannedPush(
        learner: learner, localDay: try CivilDate("2026-03-01"), kind: "reminder", windowTo: now,
        template: .basic, streakDays: 0, tries: tries, dayZone: "Asia/Seoul", place: ""),
      learner: DuePush.Learner(
        id: learner, name: "", zone: "Asia/Seoul", locale: "en",
        eligibility: PushEligibility()),
      device: device, isOvertaken: false)
    let message = PushMessage(
      id: push.id, token: device.token, title: "", body: "", link: "", expiresAt: 0)
    return PushClaim.ClaimedPush(push: push, device: device, message: message, until: now)
  }
}
