import JobKit
import LocalTime
import Postgres
import Push
import Synchronization
import TestKit
import Testing

@testable import Jobs

/// What was claimed in time, and would be sent a few seconds too late.
@Suite("Pushes that are late by the age of their claim")
struct LatePushTests {
  private let scene: PushScene

  init() throws {
    scene = try PushScene()
    try scene.addDue(1...2)
  }

  /// Runs the job in one part; so many seconds go by between its first claim and the sending.
  private func deliver(through postbox: Postbox, after seconds: Int = 0) throws {
    let start = ContinuousClock.now
    let looks = Mutex(0)
    let job = DeliverPushes(through: postbox, saying: .builtIn) {
      let isFirst = looks.withLock { looks in
        looks += 1
        return looks == 1
      }
      return start + .seconds(isFirst ? 0 : seconds)
    }
    _ = try scene.stage.run(InParts(1, of: job))
  }

  @Test(arguments: [(4, "sent"), (5, "expired window_passed")])
  func `what would leave when its window is over is put back untried`(
    seconds: Int, end: String
  ) throws {
    let postbox = Postbox()
    try scene.run(
      """
      UPDATE learning.notifications SET window_to = '2026-03-01T11:00:05Z' WHERE user_id = 1
      """)

    try deliver(through: postbox, after: seconds)
    let meanwhile = try scene.stage.text(
      "SELECT concat_ws(' ', state, tries) FROM learning.notifications WHERE user_id = 1")
    try scene.stage.pass(.seconds(60))
    try deliver(through: postbox)

    #expect(meanwhile == (end == "sent" ? "sent 1" : "planned 0"))
    #expect(try scene.state(of: 1) == end && scene.state(of: 2) == "sent")
    #expect(Set(postbox.ids).count == postbox.ids.count)
    #expect(postbox.ids.contains("1/2026-03-01") == (end == "sent"))
  }

  @Test(arguments: [(4, "sent"), (5, "suppressed quiet_hours")])
  func `what would leave in quiet hours is put back untried`(seconds: Int, end: String) throws {
    let postbox = Postbox()
    try scene.run("UPDATE learning.users SET quiet_from = 1201, quiet_to = 1300 WHERE user_id = 1")
    scene.stage.clock.turn(to: try Instant("2026-03-01T11:00:55Z"))

    try deliver(through: postbox, after: seconds)
    try scene.stage.pass(.seconds(60))
    try deliver(through: postbox)

    #expect(try scene.state(of: 1) == end && scene.state(of: 2) == "sent")
    #expect(postbox.ids.contains("1/2026-03-01") == (end == "sent"))
  }
}
