import JobKit
import LocalTime
import Postgres
import Push
import TestKit
import TestSupport
import Testing

@testable import Jobs

/// A zone whose file cannot be read, as in the middle of an upgrade, is not one that nobody knows.
@Suite("Pushes in a zone whose file is damaged")
struct DamagedZoneTests {
  private let scene: PushScene
  private let folder: ZoneFolder
  private let damaged: ZoneDatabase

  init() throws {
    scene = try PushScene()
    try scene.addDue(1...1)
    folder = try ZoneFolder(of: "Asia/Seoul")
    damaged = try ZoneDatabase(root: folder.path)
    try folder.damage("Asia/Seoul")
  }

  private func isDamage(_ error: any Error) -> Bool {
    guard case ZoneError.damaged("Asia/Seoul", root: folder.path, _) = error else { return false }
    return true
  }

  @Test func `a push is not suppressed, the run fails and is tried again`() throws {
    let terms = PushClaim.Terms(
      owner: PushOwner(nil), share: "true", moment: try scene.stage.now, rules: DeliveryRules(),
      messages: .builtIn, zones: damaged)

    #expect {
      try scene.stage.connection.transaction { connection in
        _ = try PushClaim.make(by: terms, at: scene.stage.now, on: connection)
      }
    } throws: {
      isDamage($0)
    }

    #expect(try scene.state() == "planned")
  }

  @Test func `a day is not closed by another zone's midnight`() throws {
    try scene.run("UPDATE learning.notifications SET state = 'sent', sent_at = due_at")
    let moment = try Instant("2026-03-02T00:00:00Z")
    let calendars = try ZoneTable(of: scene.stage.zones, at: moment)

    #expect {
      try scene.stage.connection.transaction { connection in
        let found = try UnansweredPushes.find(
          10, after: nil, of: "true", at: moment, in: calendars, on: connection)
        _ = try found.close(in: damaged, on: connection)
      }
    } throws: {
      isDamage($0)
    }

    #expect(try scene.state() == "sent")
  }
}
