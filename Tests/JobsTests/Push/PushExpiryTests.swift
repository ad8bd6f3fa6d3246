import JobKit
import LocalTime
import Postgres
import Push
import TestKit
import Testing

@testable import Jobs

@Suite("Until when a provider may bring a push")
struct PushExpiryTests {
  @Test func `is the next time that quiet hours begin, in an hour that comes twice too`() throws {
    // In New York it is 01:10 for the second time.
    let scene = try PushScene(at: "2026-11-01T06:10:00Z")
    let postbox = Postbox()
    try scene.add(learner: 1, zone: "America/New_York")
    try scene.run("UPDATE learning.users SET quiet_from = 90, quiet_to = 420")
    try scene.plan(1, on: "2026-11-01", zone: "America/New_York")

    _ = try scene.stage.run(DeliverPushes(through: postbox, saying: .builtIn))

    let message = try #require(postbox.messages.first)
    #expect(try message.expiresAt == Instant("2026-11-01T06:30:00Z").secondsSince1970)
  }
}
