@testable import Jobs

import LocalTime
import Testing

/// An app may tell of a move hours after it, and of several on one journey.
@Suite("Streaks of learners whose moves are told late, or in pieces")
struct StreakMoveToldTests {
  /// Monday 22:00 in Los Angeles, which in Seoul is Tuesday 15:00.
  private static let evening = "2026-03-03T06:00:00Z"

  /// When Tuesday and its hours of grace are over in Los Angeles.
  private static let over = "2026-03-04T11:00:00Z"

  @Test(arguments: [true, false])
  func `a day that was missed before the move stays missed, however late the run`(
    isInTime: Bool
  ) throws {
    var learner = try StreakNotebook.inLosAngeles(studyingUntil: Self.evening)
    if isInTime { try learner.update(at: Self.over) }
    // In Seoul Wednesday and its hours of grace are over as well.
    try learner.move(to: "Asia/Seoul", at: "2026-03-04T19:00:00Z")
    try learner.study(endingAt: "2026-03-04T20:00:00Z")

    try learner.update(at: "2026-03-04T20:15:00Z")

    #expect(learner.line == "1 from 2026-03-05 through 2026-03-05")
    #expect(
      learner.story.suffix(2) == [
        "reset 2026-03-03 missed_without_token 1-0", "extended 2026-03-05 studied 0-1",
      ])
    #expect(learner.repairs.isEmpty)
  }

  @Test(arguments: [
    (false, ["extended 2026-03-02 studied 0-1", "travelled 2026-03-03 moved_east 1-1"]),
    (
      true,
      ["reset 2026-03-03 missed_without_token 1-0", "travelled 2026-03-03 moved_east 0-1"]
    ),
  ])
  func `a move that the app tells of when the day is over has skipped it nevertheless`(
    isInTime: Bool, story: [String]
  ) throws {
    var learner = try StreakNotebook.inLosAngeles(studyingUntil: Self.evening)
    if isInTime { try learner.update(at: Self.over) }
    try learner.move(to: "Asia/Seoul", at: "2026-03-04T12:00:00Z")
    try learner.study(endingAt: "2026-03-04T13:00:00Z")

    try learner.update(at: "2026-03-04T13:15:00Z")

    #expect(learner.line == "2 from 2026-03-02 through 2026-03-04")
    #expect(learner.story.suffix(3) == story + ["extended 2026-03-04 studied 1-2"])
  }

  @Test func `a study by the clocks of the new place is none before the move, however it is told`()
    throws
  {
    var learner = try StreakNotebook.inLosAngeles(studyingUntil: Self.evening)
    try learner.study(
      "2026-03-03", endingAt: "2026-03-03T14:00:00Z", receivedAt: "2026-03-03T14:00:00Z")
    // Wednesday 11:00 in Seoul, two hours before the app tells of the move.
    try learner.study(
      "2026-03-04", endingAt: "2026-03-04T02:00:00Z", receivedAt: "2026-03-04T04:00:00Z")
    try learner.move(to: "Asia/Seoul", at: "2026-03-04T04:00:00Z")
    // Friday 10:00, which in Los Angeles is Thursday.
    try learner.study(
      "2026-03-06", endingAt: "2026-03-06T01:00:00Z", receivedAt: "2026-03-06T01:00:00Z")

    try learner.update(at: "2026-03-06T01:15:00Z")

    #expect(learner.line == "1 from 2026-03-06 through 2026-03-06")
    #expect(learner.story.contains("reset 2026-03-05 missed_without_token 3-0"))
  }

  @Test func `what was studied on a layover was studied on the way`() throws {
    var learner = try StreakNotebook(in: "America/New_York")
    try learner.study(endingAt: "2026-03-02T14:00:00Z")
    try learner.move(to: "Europe/London", at: "2026-03-02T20:00:00Z")
    try learner.study(endingAt: "2026-03-03T21:00:00Z")
    try learner.update(at: "2026-03-03T21:15:00Z")
    try learner.move(to: "Asia/Seoul", at: "2026-03-04T14:00:00Z")
    // Thursday 08:00 in Seoul, which is Wednesday in London and in New York.
    try learner.study(endingAt: "2026-03-04T23:00:00Z")

    try learner.update(at: "2026-03-04T23:15:00Z")

    #expect(learner.line == "3 from 2026-03-02 through 2026-03-05")
    #expect(learner.repairs.values.map(\.state) == [.travelled])
  }
}

extension StreakNotebook {
  /// A learner who lives in Los Angeles and studies there until an instant of 2 or 3 March.
  static func inLosAngeles(
    studyingUntil end: String, tokens: Int = 0, autoRepair: Bool = false
  ) throws -> StreakNotebook {
    var learner = try StreakNotebook(
      in: "America/Los_Angeles", tokens: tokens, autoRepair: autoRepair)
    try learner.study(endingAt: end)
    try learner.update(at: "2026-03-03T06:15:00Z")
    return learner
  }
}
