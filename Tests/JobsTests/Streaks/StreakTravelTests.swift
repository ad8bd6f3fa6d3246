@testable import Jobs

import LocalTime
import Testing

/// The learner lives in Los Angeles, studies on Monday, 2 March, and lands in Seoul on Wednesday at 10:00: in Los Angeles
/// it is Tuesday for another seven hours.
@Suite("Streaks of learners who fly")
struct StreakTravelTests {
  private static let landing = "2026-03-04T01:00:00Z"

  /// Monday 22:00 in Los Angeles, which in Seoul is Tuesday 15:00; and 06:00, which is Monday 23:00.
  private static let (evening, morning) = ("2026-03-03T06:00:00Z", "2026-03-02T14:00:00Z")

  /// When Tuesday and its hours of grace are over in Los Angeles: Wednesday 20:00 in Seoul.
  private static let over = "2026-03-04T11:00:00Z"

  /// The same, on Wednesday in Seoul.
  private func traveller(
    studyingUntil end: String, tokens: Int = 0, autoRepair: Bool = false
  ) throws -> StreakNotebook {
    var learner = try StreakNotebook.inLosAngeles(
      studyingUntil: end, tokens: tokens, autoRepair: autoRepair)
    try learner.move(to: "Asia/Seoul", at: Self.landing)
    return learner
  }

  @Test(arguments: [
    // By both calendars the next day, by that of Los Angeles alone: it is Tuesday 21:00 there, and 19:00.
    (evening, "2026-03-04T05:00:00Z"), (morning, "2026-03-04T03:00:00Z"),
  ])
  func `a day between two studies is skipped when where the first was it is not over yet`(
    first: String, second: String
  ) throws {
    var learner = try traveller(studyingUntil: first)
    try learner.study(endingAt: second)

    try learner.update(at: "2026-03-04T05:15:00Z")

    #expect(learner.line == "2 from 2026-03-02 through 2026-03-04")
    #expect(
      learner.story == [
        "extended 2026-03-02 studied 0-1", "travelled 2026-03-03 moved_east 1-1",
        "extended 2026-03-04 studied 1-2",
      ])
    #expect(learner.repairs.values.map(\.state) == [.travelled] && learner.ledger == [])
  }

  @Test func `a day waits until it is over in both places`() throws {
    var learner = try traveller(studyingUntil: Self.morning)

    try learner.update(at: "2026-03-04T10:59:59Z")
    let (line, checkAt) = (learner.line, learner.saved?.checkAt)
    try learner.update(at: Self.over)

    #expect(line == "1 from 2026-03-02 through 2026-03-02")
    #expect(checkAt == (try Instant(Self.over)))
    #expect(learner.story.last == "reset 2026-03-03 missed_without_token 1-0")
  }

  @Test func `a day is skipped when in the new place it had begun with the study before it`() throws
  {
    var learner = try traveller(studyingUntil: Self.evening)

    try learner.update(at: Self.over)
    let (line, checkAt) = (learner.line, learner.saved?.checkAt)
    try learner.update(at: "2026-03-04T18:00:00Z")

    #expect(line == "1 from 2026-03-02 through 2026-03-03")
    #expect(checkAt == (try Instant("2026-03-04T18:00:00Z")))
    #expect(
      learner.story.suffix(2) == [
        "travelled 2026-03-03 moved_east 1-1", "reset 2026-03-04 missed_without_token 1-0",
      ])
  }

  @Test func `who changes planes comes from where the journey began`() throws {
    var learner = try StreakNotebook.inLosAngeles(studyingUntil: Self.evening)
    try learner.move(to: "Asia/Tokyo", at: Self.landing)
    try learner.move(to: "Asia/Seoul", at: "2026-03-04T02:00:00Z")

    try learner.update(at: "2026-03-04T02:15:00Z")

    #expect(learner.line == "1 from 2026-03-02 through 2026-03-02")
    #expect(learner.saved?.checkAt == (try Instant(Self.over)))
  }

  @Test func `a skipped day costs no token of one who has missed days repaired at once`() throws {
    var learner = try traveller(studyingUntil: Self.evening, tokens: 1, autoRepair: true)

    try learner.update(at: Self.over)

    #expect(learner.line == "1 from 2026-03-02 through 2026-03-03")
    #expect(learner.balance == 1 && learner.ledger == [])
  }

  @Test func `a study of a skipped day that arrives late counts, and no token moves`() throws {
    var learner = try traveller(studyingUntil: Self.evening, tokens: 1, autoRepair: true)
    try learner.update(at: Self.over)
    try learner.study(
      "2026-03-03", endingAt: "2026-03-03T17:00:00Z", receivedAt: "2026-03-04T13:00:00Z")

    try learner.update(at: "2026-03-04T13:15:00Z")

    #expect(learner.line == "2 from 2026-03-02 through 2026-03-03")
    #expect(learner.story.last == "restored 2026-03-03 studied_late 1-2")
    #expect(learner.repairs.values.map(\.state) == [.withdrawn])
    #expect(learner.balance == 1 && learner.ledger == [])
  }

  @Test func `a study that arrives late shows that the day before it was skipped`() throws {
    var learner = try traveller(studyingUntil: Self.morning)
    try learner.update(at: Self.over)
    try learner.study(
      "2026-03-04", endingAt: "2026-03-04T03:00:00Z", receivedAt: "2026-03-04T12:00:00Z")

    try learner.update(at: "2026-03-04T12:15:00Z")

    #expect(learner.line == "2 from 2026-03-02 through 2026-03-04")
    #expect(
      learner.story.suffix(2) == [
        "travelled 2026-03-03 moved_east 0-0", "restored 2026-03-04 studied_late 0-2",
      ])
  }

  @Test(arguments: [
    (false, [String]()),
    (true, ["spent:2026-03-03 spent", "returned:2026-03-03 returned"]),
  ])
  func `then an offer to repair the day ends, and a token that was spent on it is returned`(
    autoRepair: Bool, ledger: [String]
  ) throws {
    var learner = try traveller(
      studyingUntil: Self.morning, tokens: 1, autoRepair: autoRepair)
    try learner.update(at: Self.over)
    try learner.study(
      "2026-03-04", endingAt: "2026-03-04T03:00:00Z", receivedAt: "2026-03-04T12:00:00Z")

    try learner.update(at: "2026-03-04T12:15:00Z")

    #expect(learner.repairs.values.map(\.state) == [.travelled])
    #expect(learner.ledger == ledger && learner.balance == 1)
    #expect(
      learner.story.suffix(2) == [
        "travelled 2026-03-03 moved_east 1-1", "extended 2026-03-04 studied 1-2",
      ])
  }

  @Test func `who flies west has the days of the new place, as without a word of the move`() throws
  {
    var told = try StreakNotebook(in: "Asia/Seoul", tokens: 1)
    try told.study(endingAt: "2026-03-03T12:00:00Z")
    try told.update(at: "2026-03-03T12:15:00Z")
    var untold = told
    try told.move(to: "America/Los_Angeles", at: Self.landing)
    untold.zone = told.zone

    for moment in ["2026-03-04T18:00:00Z", "2026-03-05T10:59:59Z", "2026-03-05T11:00:00Z"] {
      try told.update(at: moment)
      try untold.update(at: moment)
      #expect(told.saved == untold.saved)
    }

    #expect(told.events == untold.events && told.repairs == untold.repairs)
    #expect(told.story.last == "repairable 2026-03-04 missed_with_token 1-1")
  }

  @Test func `a later move leaves a skipped day as it is`() throws {
    var learner = try traveller(studyingUntil: Self.evening)
    try learner.study(endingAt: "2026-03-04T05:00:00Z")
    try learner.study("2026-03-05", "2026-03-06")
    try learner.update(at: "2026-03-06T13:00:00Z")
    try learner.move(to: "Europe/Paris", at: "2026-03-07T01:00:00Z")

    try learner.update(at: "2026-03-07T02:00:00Z")

    #expect(learner.line == "4 from 2026-03-02 through 2026-03-06")
    #expect(learner.repairs.values.map(\.state) == [.travelled])
  }

  @Test func `a run that comes days after the move decides what runs in time have decided`()
    throws
  {
    var late = try StreakNotebook.inLosAngeles(studyingUntil: Self.evening)
    try late.study("2026-03-04", receivedAt: "2026-03-04T05:00:00Z")
    var inTime = late
    try late.move(to: "Asia/Seoul", at: Self.landing)
    let (start, landing) = (try Instant("2026-03-03T07:00:00Z"), try Instant(Self.landing))
    for now in (0...40).map({ start.advanced(bySeconds: $0 * 3600) }) {
      if now >= landing { try inTime.move(to: "Asia/Seoul", at: Self.landing) }
      try inTime.update(at: now)
    }

    try late.update(at: "2026-03-04T23:00:00Z")

    #expect(late.saved == inTime.saved && late.events == inTime.events)
    #expect(late.repairs == inTime.repairs)
  }
}
