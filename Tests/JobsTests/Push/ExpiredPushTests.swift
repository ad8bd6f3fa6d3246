import JobKit
import Ledger
import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@testable import Jobs

/// Nobody was notified, so a study that comes after it is followed up like any other.
@Suite("A push of which the window has passed")
struct ExpiredPushTests {
  /// It is 20:05 in Seoul, when a first push would have been over for twenty minutes.
  private func signedUp() throws -> PushStage {
    let stage = try PushStage(at: "2026-03-01T11:05:00Z")
    try stage.add(1, at: "2026-03-01T11:00:00Z")
    _ = try stage.run()
    return stage
  }

  @Test func `of a learner who signs up in the evening gives way to the follow-up`() throws {
    let stage = try signedUp()
    let before = try stage.rows()
    try stage.study(1, 1, end: "2026-03-01T20:20")

    let run = try stage.run(at: "2026-03-01T11:25:00Z")

    #expect(before == ["1 2026-03-01 first expired window_passed"])
    #expect(run.counters["revised"] == 1 && run.counters["planned"] == 1)
    #expect(try stage.rows() == ["1 2026-03-01 follow_up planned"])
    #expect(
      try stage.stage.count(
        """
        SELECT count(*) FROM learning.notifications
        WHERE window_from = '2026-03-01T12:05:00Z' AND ended_at IS NULL
        """) == 1)
  }

  @Test func `makes no difference to the next, be there a run that has written it or not`() throws {
    let (steady, rare) = (
      try PushStage(at: "2026-03-01T03:05:00Z"), try PushStage(at: "2026-03-01T03:05:00Z")
    )
    for stage in [steady, rare] {
      try stage.add(1)
      try stage.study(1, 1, end: "2026-03-01T08:00", received: "2026-03-01T03:00:00Z")
    }
    _ = try steady.run()
    let before = try steady.rows()

    for stage in [steady, rare] {
      try stage.study(1, 2, end: "2026-03-01T18:00")
      _ = try stage.run(at: "2026-03-01T09:40:00Z")
    }

    #expect(before == ["1 2026-03-01 follow_up expired window_passed"])
    #expect(try steady.rows() == ["1 2026-03-01 follow_up planned"])
    #expect(try steady.content() == rare.content())
  }

  @Test func `is explained by what takes its place`() throws {
    let stage = try signedUp()
    try stage.study(1, 1, end: "2026-03-01T20:20")
    stage.stage.clock.turn(to: try Instant("2026-03-01T11:22:00Z"))

    let told = try stage.job.explain(
      1, on: nil, at: stage.stage.now, in: stage.stage.zones, stage.stage.connection)

    #expect(told.lines.contains("it expired: its window was over (window_passed)"))
    #expect(told.lines.contains("by what is known now:"))
    #expect(told.lines.contains("it would go out, and is decided when its window begins"))
  }

  @Test func `while a run decides on it anew stays what it is`() throws {
    let stage = try PushStage(at: "2026-03-01T11:50:00Z")
    try stage.add(1)
    try stage.study(1, 1, end: "2026-02-28T20:10")
    _ = try stage.run()
    stage.stage.clock.turn(to: try Instant("2026-03-01T11:55:00Z"))
    try stage.stage.connection.run(
      "UPDATE learning.users SET locale = 'en', changed_at = '2026-03-01T11:54:00Z'")
    let deliverer = try stage.stage.held(
      by: """
        UPDATE learning.notifications SET state = 'expired', reason = 'window_passed',
          ended_at = '2026-03-01T12:40:00Z'
        """, then: "SELECT 1")

    let run = try stage.run()
    try deliverer.value()

    #expect(run.state == .succeeded)
    #expect(try stage.rows() == ["1 2026-03-01 reminder expired window_passed"])
  }
}
