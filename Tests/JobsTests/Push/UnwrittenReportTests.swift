import LocalTime
import Postgres
import TestKit
import Testing

@testable import JobKit
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
    let terms = PushClaim.Terms(
      owner: owner, share: "true", moment: try scene.stage.now, rules: DeliveryRules(window: 1),
      messages: .builtIn, zones: scene.stage.zones)
    let claim = try scene.stage.connection.transaction { connection in
      try PushClaim.make(by: terms, at: scene.stage.now, on: connection)
    }
    unwritten.keep(claim.untried(by: owner))
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
}
