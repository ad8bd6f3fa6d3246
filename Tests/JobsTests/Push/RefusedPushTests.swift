import JobKit
import Jobs
import Ledger
import LocalTime
import Postgres
import Push
import TestKit
import TestSupport
import Testing

@Suite("Pushes that a transport does not take")
struct RefusedPushTests {
  private let scene: PushScene

  init() throws {
    scene = try PushScene()
  }

  private func deliver(
    through transport: any PushTransport, rules: DeliveryRules = DeliveryRules()
  ) throws -> RunRecord {
    try scene.stage.run(DeliverPushes(through: transport, saying: .builtIn, rules: rules))
  }

  @Test func `a push that was not sent waits longer each time, and expires with its window`() throws
  {
    let closed = Postbox { _ in .notSent("no route") }
    try scene.add(learner: 1)
    try scene.plan(1, lasts: .seconds(240))

    var tries: [Int] = []
    for _ in 0...5 {
      _ = try deliver(through: closed)
      tries.append(closed.ids.count)
      try scene.stage.pass(.seconds(60))
    }

    #expect(tries == [1, 2, 2, 3, 3, 3])
    #expect(try scene.state() == "planned not_sent")
    try scene.stage.pass(.seconds(60))
    _ = try deliver(through: Postbox())
    #expect(try scene.state() == "expired window_passed")
    #expect(try scene.events() == "")
  }

  @Test func `a transport that takes nothing is not asked for the rest of the run`() throws {
    let closed = Postbox { _ in .notSent("no route") }
    try scene.addDue(1...25)

    let run = try deliver(through: closed, rules: DeliveryRules(window: 10))

    #expect(closed.ids.count == 10 && run.counters["not sent"] == 25)
    #expect(try scene.states() == "planned 25")
    #expect(
      try scene.stage.count("SELECT count(*) FROM learning.notifications WHERE not_before > due_at")
        == 25)
  }

  @Test func `a run says who took nothing, and why`() throws {
    try scene.addDue(1...2)
    let job = DeliverPushes(through: Postbox { _ in .notSent("no route") }, saying: .builtIn)

    #expect(
      try scene.outcome(of: job) == "succeeded: sent 0 pushes;"
        + " apns (no route) took none of a window, so what is left waits")
  }

  @Test func `a provider that takes nothing keeps no other's pushes waiting`() throws {
    let closed = Postbox { $0.provider == .apns && !$0.isSandbox ? .notSent("no route") : .sent }
    try scene.addDue(1...29)
    try scene.run(
      """
      UPDATE learning.notifications SET due_at = due_at - interval '1 minute',
        window_from = window_from - interval '1 minute' WHERE user_id <= 25
      """)
    try scene.run(
      "UPDATE learning.devices SET provider = 'fcm' WHERE user_id IN (5, 26, 27)")
    try scene.run("UPDATE learning.devices SET environment = 'sandbox' WHERE user_id = 28")

    let run = try deliver(through: closed, rules: DeliveryRules(window: 10))

    #expect(run.counters["sent"] == 4 && run.counters["not sent"] == 25 && run.done == 29)
    #expect(closed.messages.filter { $0.provider == .apns && !$0.isSandbox }.count == 9)
    #expect(try scene.states() == "planned 25, sent 4")
  }

  @Test func `a run ends, however long it takes, before what was not sent is due again`() throws {
    let clock = scene.stage.clock
    let now = try scene.stage.now
    let postbox = Postbox { push in
      clock.turn(to: now + .seconds(600))
      return push.provider == .apns ? .notSent("no route") : .sent
    }
    try scene.addDue(1...2)

    let run = try deliver(through: postbox, rules: DeliveryRules(window: 1))

    #expect(run.counters["not sent"] == 2 && postbox.ids.count == 1)
  }

  @Test func `a push that nobody knows of counts as sent and is not sent again`() throws {
    let (mute, postbox) = (Postbox { _ in .uncertain("no_answer") }, Postbox())
    try scene.add(learner: 1)
    try scene.plan(1)

    _ = try deliver(through: mute)
    _ = try deliver(through: postbox)

    #expect(try scene.state() == "uncertain no_answer")
    #expect(mute.ids.count == 1 && postbox.ids.isEmpty)
    #expect(try scene.events() == "")
  }

  @Test func `a push that no device may have has failed`() throws {
    let strict = Postbox { _ in .rejected("PayloadTooLarge") }
    try scene.add(learner: 1)
    try scene.plan(1)

    let run = try deliver(through: strict)

    #expect(try scene.state() == "failed PayloadTooLarge" && run.counters["failed"] == 1)
  }

  @Test func `a refused device is invalidated, and the one registered before it gets the push`()
    throws
  {
    let choosy = Postbox { $0.token.secret == "new" ? .refused("Unregistered") : .sent }
    try scene.add(learner: 1)
    try scene.plan(1)
    try scene.add(
      device: 2, of: 1, token: "new", registered: "2026-02-01T00:00:00Z", provider: "fcm")

    let run = try deliver(through: choosy)

    #expect(choosy.messages.map(\.token.secret) == ["new", "token-1"])
    #expect(choosy.messages.map(\.provider) == [.fcm, .apns])
    #expect(run.counters["refused"] == 1 && run.counters["sent"] == 1)
    #expect(
      try scene.stage.text(
        """
        SELECT device_id || ' ' || invalid_reason || ' ' || (invalidated_at = '2026-03-01T11:00:00Z')
        FROM learning.devices WHERE invalidated_at IS NOT NULL
        """) == "2 Unregistered true")
  }

  @Test func `a learner whose every device is refused has a push that failed`() throws {
    let choosy = Postbox { _ in .refused("Unregistered") }
    try scene.add(learner: 1)
    try scene.plan(1)

    let run = try deliver(through: choosy)

    #expect(try scene.state() == "failed refused" && run.state == .succeeded)
    #expect(choosy.ids.count == 1)
  }

  @Test func `a device that was registered anew while it was refused stays valid`() throws {
    let url = scene.stage.database.url
    let choosy = Postbox { push in
      _ = try? Connection(to: Server(url)).run(
        """
        UPDATE learning.devices SET token = 'fresh', registered_at = '2026-03-01T11:00:01Z'
        """)
      return push.token.secret == "fresh" ? .sent : .refused("Unregistered")
    }
    try scene.add(learner: 1)
    try scene.plan(1)
    _ = try deliver(through: choosy)

    #expect(
      try scene.stage.count("SELECT count(*) FROM learning.devices WHERE invalidated_at IS NULL")
        == 1)
  }
}
