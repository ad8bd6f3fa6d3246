import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

@Suite("What is written of a window or a day that is over")
struct PastDayTests {
  /// A learner who studied at 20:50 and has no device: the window from 21:35 until quiet hours is lost.
  private func stageWithoutDevice() throws -> PushStage {
    let stage = try PushStage(at: "2026-03-01T12:30:00Z")
    try stage.add(1)
    try stage.study(1, 1, end: "2026-03-01T20:50")
    try stage.stage.connection.run("DELETE FROM learning.devices")
    _ = try stage.run()
    return stage
  }

  private func makeQuiet(_ stage: PushStage, from minute: Int, at changed: String) throws {
    try stage.stage.connection.run(
      """
      UPDATE learning.users
      SET quiet_from = \(minute), quiet_to = 420, changed_at = \(try Instant(changed))
      """)
  }

  private func rowOfFirstDay(_ stage: PushStage) throws -> String {
    try stage.stage.text(
      "SELECT row::text FROM learning.notifications AS row WHERE local_day = '2026-03-01'")
  }

  @Test func `quiet hours of today are no reason for what did not go out yesterday`() throws {
    let stage = try stageWithoutDevice()
    let (rows, before) = try (stage.rows(), rowOfFirstDay(stage))
    try makeQuiet(stage, from: 21 * 60, at: "2026-03-02T01:00:00Z")

    _ = try stage.run(at: "2026-03-02T01:05:00Z")

    #expect(rows == ["1 2026-03-01 follow_up suppressed no_device"])
    #expect(try rowOfFirstDay(stage) == before)
  }

  @Test func `nor for a window that passed before on the same day`() throws {
    let stage = try stageWithoutDevice()
    let before = try rowOfFirstDay(stage)
    try makeQuiet(stage, from: 21 * 60, at: "2026-03-01T13:30:00Z")

    _ = try stage.run(at: "2026-03-01T13:35:00Z")

    #expect(try rowOfFirstDay(stage) == before)
  }

  @Test func `a window that a change opens on the same day takes the place of one that passed`()
    throws
  {
    let stage = try PushStage(at: "2026-03-01T10:00:00Z")
    try stage.add(1)
    try stage.stage.connection.run("UPDATE learning.users SET push_opt_in = false")
    _ = try stage.run()
    let before = try stage.rows()
    try stage.stage.connection.run(
      """
      UPDATE learning.users
      SET push_opt_in = true, preferred_minute = 1260, changed_at = '2026-03-01T11:00:00Z'
      """)

    _ = try stage.run(at: "2026-03-01T11:05:00Z")

    #expect(before == ["1 2026-03-01 first suppressed opted_out"])
    #expect(try stage.rows() == ["1 2026-03-01 first planned"])
  }

  @Test func `a study of yesterday that arrives today does not change why nothing went out`() throws
  {
    let stage = try PushStage(at: "2026-03-01T11:50:00Z")
    try stage.add(1)
    try stage.study(1, 1, end: "2026-02-28T20:10")
    try stage.stage.connection.run("UPDATE learning.users SET push_opt_in = false")
    _ = try stage.run()
    let (rows, before) = try (stage.rows(), rowOfFirstDay(stage))
    try stage.study(1, 2, end: "2026-03-01T18:00", received: "2026-03-02T01:00:00Z")

    _ = try stage.run(at: "2026-03-02T01:05:00Z")

    #expect(rows == ["1 2026-03-01 reminder suppressed opted_out"])
    #expect(try rowOfFirstDay(stage) == before)
  }

  @Test func `a day that was overlooked goes by the study before it, however long ago that was`()
    throws
  {
    let stage = try PushStage(at: "2026-03-01T03:00:00Z")
    try stage.add(1)
    try stage.study(1, 1, end: "2026-01-20T20:10")
    _ = try stage.run()
    try stage.study(1, 2, end: "2026-03-02T11:00")

    _ = try stage.run(at: "2026-03-02T03:00:00Z")

    #expect(
      try stage.rows() == [
        "1 2026-03-01 reminder expired window_passed", "1 2026-03-02 follow_up planned",
      ])
  }
}
