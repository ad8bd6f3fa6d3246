@testable import JobKit
@testable import Ledger
@testable import Runner
@testable import Jobs

import LocalTime
import Postgres
import Push
import TestKit
import TestSupport
import Testing

@Suite("Many deliverers at once")
struct ManyDeliverersTests {
  private let scene: PushScene

  init() throws {
    scene = try PushScene()
  }

  private func terms(_ owner: String, window: Int = 10) throws -> PushClaim.Terms {
    PushClaim.Terms(
      owner: PushOwner(nil), share: "true", moment: try scene.stage.now,
      rules: DeliveryRules(window: window), messages: .builtIn, zones: scene.stage.zones)
  }

  @Test func `what one has claimed and not yet committed, another leaves alone`() throws {
    try scene.addDue(1...15)
    let (terms, now) = (try terms("a"), try scene.stage.now)
    let other = try scene.stage.database.connect()

    var claims: [[Int]] = []
    try scene.stage.connection.transaction { connection in
      claims.append(
        try PushClaim.make(by: terms, at: now, on: connection).claimed.map(\.push.learner.id))
      try other.transaction { connection in
        claims.append(
          try PushClaim.make(by: terms, at: now, on: connection).claimed.map(\.push.learner.id))
      }
    }

    #expect(claims.map(\.count) == [10, 5])
    #expect(Set(claims.joined()) == Set(1...15))
  }

  @Test func `two days of one learner are not claimed by two at once`() throws {
    try scene.add(learner: 1)
    try scene.plan(1, on: "2026-03-01", due: .seconds(60))
    try scene.plan(1, on: "2026-03-02")
    let (terms, now) = (try terms("a", window: 1), try scene.stage.now)
    let other = try scene.stage.database.connect()

    var claims: [Int] = []
    try scene.stage.connection.transaction { connection in
      claims.append(try PushClaim.make(by: terms, at: now, on: connection).claimed.count)
      try other.transaction { connection in
        claims.append(try PushClaim.make(by: terms, at: now, on: connection).claimed.count)
      }
    }

    #expect(claims == [1, 0])
    #expect(try scene.state(on: "2026-03-02") == "planned")
  }

  @Test func `a second day is not claimed while another has the first in hand, and then is`() throws
  {
    try scene.add(learner: 1)
    try scene.plan(1, on: "2026-03-01", due: .seconds(60))
    try scene.plan(1, on: "2026-03-02")
    let (terms, now) = (try terms("a", window: 10), try scene.stage.now)
    let other = try scene.stage.database.connect()
    func claimed(on connection: borrowing Connection) throws -> [String] {
      try PushClaim.make(by: terms, at: now, on: connection).claimed.map {
        "\($0.push.plan.localDay)"
      }
    }

    var claims: [[String]] = []
    try other.transaction { other in
      try other.run("SELECT FROM learning.notifications WHERE local_day = '2026-03-01' FOR UPDATE")
      try scene.stage.connection.transaction { claims.append(try claimed(on: $0)) }
    }
    try scene.stage.connection.transaction { claims.append(try claimed(on: $0)) }

    #expect(claims.first == [] && claims.last?.count == 1)
  }

  @Test func `two runs at once hand each push over once`() throws {
    try scene.addDue(1...300)
    let postbox = Postbox()
    let policies = Self.beside
    for _ in 1...2 {
      let request = Ledger.RunRequest(
        "deliver_pushes", for: try scene.stage.now, parts: 1, policies: policies, by: "test")
      _ = try Ledger.enter(request, at: scene.stage.now, on: scene.stage.connection)
    }
    let (url, clock, zones) = (scene.stage.database.url, scene.stage.clock, scene.stage.zones)

    let deliverers = (1...2).map { word in
      TestThread {
        let job = DeliverPushes(
          through: postbox, saying: .builtIn, rules: DeliveryRules(window: 7))
        let pool = WorkerPool(
          name: DaemonID(
            host: "host", process: 1, version: "1", settingsHash: "1", word: UInt32(word)),
          jobs: [WorkerPool.Member(job: job, policies: policies)], zones: zones)
        var worker = Worker(of: pool, clock: clock, on: try Connection(to: Server(url)))
        return try worker.work().map(\.progress.done).reduce(0, +)
      }
    }
    let done = try deliverers.map { try $0.value() }

    #expect(done.reduce(0, +) == 300)
    #expect(postbox.ids.count == 300 && Set(postbox.ids).count == 300)
    #expect(try scene.states() == "sent 300")
  }

  /// Policies under which runs go on beside each other.
  private static var beside: Policies {
    var policies = Policies()
    policies.overlap = .allow
    return policies
  }

  @Test func `parts come to the same rows as a whole run`() throws {
    try scene.addDue(scattered(80))
    try scene.run("UPDATE learning.users SET push_opt_in = user_id % 4 > 0")
    let postbox = Postbox()
    let job = DeliverPushes(through: postbox, saying: .builtIn)

    let request = Ledger.RunRequest(
      job.definition.name, for: try scene.stage.now, parts: 3, policies: job.definition.policies,
      by: "test")
    let run = try Ledger.enter(request, at: scene.stage.now, on: scene.stage.connection)
    try scene.stage.goOn(with: job)

    #expect(try scene.stage.record(of: run).counters["sent"] == 60)
    #expect(Set(postbox.ids).count == 60 && postbox.ids.count == 60)
    #expect(try scene.states() == "sent 60, suppressed 20")
  }

  @Test func `the plan counts what can go out in all parts, and of a canary's share`() throws {
    let ids = scattered(80)
    let last = ids[59]
    try scene.addDue(ids)
    try scene.run(
      """
      UPDATE learning.notifications SET window_from = window_from - interval '1 hour',
        due_at = due_at - interval '1 hour', window_to = '2026-03-01T11:00:00Z' WHERE user_id > \(last)
      """)
    let job = InParts(3, of: DeliverPushes(through: Postbox(), saying: .builtIn))

    let canary = try scene.stage.run(job, percent: 50)
    let left = try scene.stage.count(
      "SELECT count(*) FROM learning.notifications WHERE state = 'planned' AND user_id <= \(last)")
    let run = try scene.stage.run(job)

    #expect((1..<60).contains(left))
    #expect(canary.planned == 60 - left && run.planned == left)
    #expect(canary.counters["sent"] == 60 - left && run.counters["sent"] == left)
  }
}
