import LocalTime
import Postgres
import Push
import TestKit
import TestSupport
import Testing

@testable import JobKit
@testable import Ledger
@testable import Jobs

@Suite("Reports that could not be written")
struct UnwrittenReportTests {
  private let scene: PushScene
  private let unwritten = UnwrittenReports()

  init() throws {
    scene = try PushScene()
    try scene.addDue(1...3)
  }

  /// Keeps the report of one push that a part had in its hands.
  private func keep(ofPart number: Int) throws {
    let owner = PushOwner(Fence(run: 1, part: number, epoch: 1))
    unwritten.keep(try claim(by: owner).untried(by: owner))
  }

  /// Claims one push.
  private func claim(by owner: PushOwner) throws -> PushClaim {
    let terms = PushClaim.Terms(
      owner: owner, share: "true", moment: try scene.stage.now, rules: DeliveryRules(window: 1),
      messages: .builtIn, zones: scene.stage.zones)
    return try scene.stage.connection.transaction { connection in
      try PushClaim.make(by: terms, at: scene.stage.now, on: connection)
    }
  }

  private func take(_ number: Int, of count: Int) -> [Int] {
    unwritten.take(by: PartNumber(number: number, count: count)).map(\.owner.part)
  }

  @Test func `a part takes its own, and leaves those of others to them`() throws {
    for part in [0, 1, 2] { try keep(ofPart: part) }

    #expect(take(1, of: 3) == [1])
    #expect(take(1, of: 3) == [])
    #expect(take(0, of: 3) == [0])
    #expect(take(2, of: 3) == [2])
  }

  @Test func `a run in fewer parts takes those of all`() throws {
    for part in [0, 1, 2] { try keep(ofPart: part) }

    #expect(take(1, of: 2) == [1])
    #expect(take(0, of: 2) == [0, 2])
  }

  @Test func `a report that is written again lets alone what its owner has claimed since`() throws {
    try scene.run("DELETE FROM learning.notifications WHERE user_id > 1")
    try scene.add(device: 2, of: 1, token: "new", registered: "2026-02-01T00:00:00Z")
    let owner = PushOwner(Fence(run: 1, part: 0, epoch: 1))
    let first = try claim(by: owner)
    var report = DeliveryReport(of: owner, claimedAt: first.claimedAt)
    for sending in first.claimed { report.add(sending, .refused("gone"), by: DeliveryRules()) }

    let counted = try report.write(on: scene.stage.connection)
    try scene.stage.pass(.seconds(1))
    let second = try claim(by: owner)
    let countedAgain = try report.write(on: scene.stage.connection)

    #expect(counted["refused"] == 1 && countedAgain == Counters())
    #expect(first.claimed.map(\.device.id) == [2] && second.claimed.map(\.device.id) == [1])
    #expect(try scene.state() == "sending")
    #expect(
      try scene.stage.count(
        "SELECT count(*) FROM learning.devices WHERE user_id = 1 AND invalidated_at IS NULL") == 1)
  }

  @Test func `what was sent is written also when the next ones cannot be claimed`() throws {
    let url = scene.stage.database.url
    let postbox = Postbox { _ in
      _ = try? Connection(to: Server(url)).run("ALTER TABLE learning.devices RENAME TO gone")
      return .sent
    }
    let job = DeliverPushes(
      through: postbox, saying: .builtIn, rules: DeliveryRules(window: 2))

    let run = try scene.stage.run(InParts(1, of: job))

    #expect(run.state != .succeeded && run.counters["sent"] == 2)
    #expect(postbox.ids.count == 2)
    #expect(try scene.states() == "planned 1, sent 2")
    #expect(try scene.stage.count("SELECT done FROM jobkit.part") == 2)
  }
}
