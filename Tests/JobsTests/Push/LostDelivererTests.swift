@testable import JobKit
@testable import Ledger
@testable import Runner
@testable import Jobs

import LocalTime
import Postgres
import Push
import Synchronization
import TestKit
import TestSupport
import Testing

/// What becomes of pushes whose deliverer is stopped, cut off, frozen or gone.
@Suite("Deliverers that are lost")
struct LostDelivererTests {
  private let scene: PushScene

  init() throws {
    scene = try PushScene()
    try scene.addDue(1...3)
  }

  private func job(
    through transport: any PushTransport, window: Int = 200,
    keeping unwritten: UnwrittenReports = UnwrittenReports(),
    stopwatch: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) -> DeliverPushes {
    DeliverPushes(
      through: transport, saying: .builtIn, rules: DeliveryRules(window: window),
      keeping: unwritten, stopwatch: stopwatch)
  }

  @Test func `what was sent while the database was away is written when it is back, by new rules`()
    throws
  {
    let cutOff = scene.cutOff
    let postbox = Postbox { _ in
      cutOff()
      return .sent
    }
    let unwritten = UnwrittenReports()
    try scene.enterRun()

    let end = try scene.work(scene.pool(job(through: postbox, keeping: unwritten)))
    let meanwhile = try scene.states()
    try scene.loseLease()
    _ = try scene.work(scene.pool(job(through: postbox, window: 100, keeping: unwritten)))

    #expect(end.hasPrefix("failed: lost the connection to Postgres"))
    #expect(meanwhile == "sending 3")
    #expect(postbox.ids == ["1/2026-03-01", "2/2026-03-01", "3/2026-03-01"])
    #expect(try scene.states() == "sent 3")
    #expect(try scene.events(of: 2) == "push_sent")
  }

  @Test func `what was sent by a process that is gone counts as sent, and is not sent again`()
    throws
  {
    let cutOff = scene.cutOff
    let (first, second) = (
      Postbox { _ in
        cutOff()
        return .sent
      }, Postbox()
    )
    try scene.enterRun()

    _ = try scene.work(scene.pool(job(through: first)))
    try scene.loseLease()
    _ = try scene.work(scene.pool(job(through: second), word: 2))

    #expect(first.ids.count == 3 && second.ids.isEmpty)
    #expect(try scene.state() == "uncertain worker_lost" && scene.states() == "uncertain 3")
    #expect(try scene.stage.count("SELECT count(sent_at) FROM learning.notifications") == 3)
    #expect(try scene.events() == "")
  }

  @Test func `a deliverer whose part belongs to another writes nothing`() throws {
    let takePart = scene.takePart
    let postbox = Postbox { _ in
      takePart()
      return .sent
    }
    let unwritten = UnwrittenReports()
    try scene.enterRun()

    let end = try scene.work(scene.pool(job(through: postbox, keeping: unwritten)))
    let meanwhile = try scene.states()
    try scene.loseLease()
    _ = try scene.work(scene.pool(job(through: postbox, window: 100, keeping: unwritten)))

    #expect(end.hasPrefix("part 0 of run 1 is no longer ours"))
    #expect(meanwhile == "sending 3")
    #expect(postbox.ids.count == 3)
    #expect(try scene.states() == "uncertain 3" && scene.events() == "")
  }

  @Test func `what another deliverer has in its hands is left to it`() throws {
    try scene.run(
      """
      INSERT INTO jobkit.job VALUES ('other', now(), now());
      """)
    let run = try scene.stage.count(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, started_at)
      VALUES ('other', now(), 'manual', 'running', now(), 'test', now()) RETURNING id
      """)
    try scene.run(
      """
      INSERT INTO jobkit.part (run, number, job, state, not_before, epoch, daemon, lease_until)
      VALUES (\(run), 0, 'other', 'running', now(), 4, 'other', now())
      """)
    try scene.run(
      """
      UPDATE learning.notifications SET state = 'sending', sending_at = due_at, epoch = 2 + user_id,
        owner = \(run)::text || '/0'
      """)

    _ = try scene.stage.run(job(through: Postbox()))

    #expect(try scene.state(of: 1) == "uncertain worker_lost")
    #expect(try scene.state(of: 2) == "sending")
    #expect(try scene.state(of: 3) == "uncertain worker_lost")
  }

  @Test func `what was sent is written also when the run is asked to stop, and the rest waits`()
    throws
  {
    let asking = Mutex<WorkerPool?>(nil)
    let postbox = Postbox { _ in
      asking.withLock { $0 }?.activeParts.ask(.drained)
      return .sent
    }
    let pool = scene.pool(job(through: postbox, window: 2))
    asking.withLock { $0 = pool }
    try scene.enterRun()

    let end = try scene.work(pool)

    #expect(end == "released")
    #expect(postbox.ids.count == 2)
    #expect(try scene.states() == "planned 1, sent 2")
  }

  @Test func `what was sent is written also when the run is cut off`() throws {
    let asking = Mutex<WorkerPool?>(nil)
    let postbox = Postbox { _ in
      asking.withLock { $0 }?.activeParts.cut(.cancelled)
      return .sent
    }
    let pool = scene.pool(job(through: postbox, window: 2))
    asking.withLock { $0 = pool }
    try scene.enterRun()

    let end = try scene.work(pool)

    #expect(end == "cancelled")
    #expect(try scene.states() == "planned 1, sent 2")
  }

  @Test func `what was claimed and not sent when the run is asked to stop is given back`() throws {
    let asking = Mutex<WorkerPool?>(nil)
    let looks = Mutex(0)
    let postbox = Postbox()
    let job = job(through: postbox) {
      let look = looks.withLock { looks in
        looks += 1
        return looks
      }
      if look == 2 { asking.withLock { $0 }?.activeParts.ask(.drained) }
      return ContinuousClock.now
    }
    let pool = scene.pool(job)
    asking.withLock { $0 = pool }
    try scene.enterRun()

    let end = try scene.work(pool)

    #expect(end == "released")
    #expect(postbox.ids.isEmpty)
    #expect(try scene.states() == "planned 3")
    #expect(
      try scene.stage.count(
        "SELECT count(*) FROM learning.notifications WHERE tries = 0 AND not_before IS NULL") == 3)
  }

  @Test func `a deliverer that was frozen after its claim asks again before it sends`() throws {
    let looks = Mutex(0)
    let (start, postbox) = (ContinuousClock.now, Postbox())
    let (clock, now) = (scene.stage.clock, try scene.stage.now)
    let job = job(through: postbox) {
      let look = looks.withLock { looks in
        looks += 1
        return looks
      }
      // Between the first claim and its sending, two and a half hours go by: it is 22:30.
      if look == 2 { clock.turn(to: now + .seconds(9000)) }
      return start + .seconds(look > 1 ? 9000 : 0)
    }
    try scene.run("UPDATE learning.notifications SET window_to = '2026-03-02Z'")

    let run = try scene.stage.run(InParts(1, of: job))

    #expect(run.state == .succeeded && postbox.ids.isEmpty)
    #expect(try scene.state() == "suppressed quiet_hours")
  }
}
