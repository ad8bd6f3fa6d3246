import JobKit
import Ledger
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

/// The learner has studied on five days, and the app deletes sessions of theirs.
@Suite("Streaks whose sessions are deleted")
struct DeletedSessionTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-05T16:00:00Z", with: .learning)
    try stage.learner(1)
    try stage.study(
      1, on: "2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05")
    _ = try stage.run(DetectStreakBreaks())
  }

  private func story() throws -> [String] {
    try stage.connection.run(
      """
      SELECT concat_ws(' ', event, day, cause, length_before || '-' || length_after)
      FROM learning.streak_events ORDER BY number
      """
    ).map { try $0[0] }
  }

  @Test(arguments: [
    ("2026-03-05", "kept 4 2026-03-01 2026-03-04", "shortened 2026-03-05 study_gone 5-4"),
    ("2026-03-03", "kept 2 2026-03-04 2026-03-05", "shortened 2026-03-03 study_gone 5-2"),
    ("2026-03-01", "kept 4 2026-03-02 2026-03-05", "shortened 2026-03-01 study_gone 5-4"),
  ])
  func `are shorter after a full run, which an event tells once`(
    day: String, streak: String, event: String
  ) throws {
    let before = try story()
    try stage.connection.run(
      "DELETE FROM learning.sessions WHERE local_day = \(try CivilDate(day))")

    let run = try stage.run(DetectStreakBreaks(), arguments: ["full": "true"])
    _ = try stage.run(DetectStreakBreaks(), arguments: ["full": "true"])

    #expect(try stage.streak(of: 1) == streak)
    #expect(try story() == before + [event])
    #expect(run.counters["shortened"] == 1)
  }

  @Test func `are reset when none is left`() throws {
    try stage.connection.run("DELETE FROM learning.sessions")

    _ = try stage.run(DetectStreakBreaks(), arguments: ["full": "true"])

    #expect(try stage.streak(of: 1) == "none 0")
    #expect(try story().last == "reset 2026-03-05 study_gone 5-0")
  }

  @Test func `tell why when one asks`() throws {
    try stage.connection.run("DELETE FROM learning.sessions WHERE local_day = '2026-03-05'")

    _ = try stage.run(DetectStreakBreaks(), arguments: ["full": "true"])

    let lines = try DetectStreakBreaks().explain(
      1, on: nil, at: stage.now, in: stage.zones, stage.connection
    ).lines
    #expect(
      lines.contains {
        $0.hasSuffix(
          ": shortened on 2026-03-05, as a study of it is gone: the app has deleted or corrected"
            + " its session (5 -> 4 days)")
      })
  }
}
