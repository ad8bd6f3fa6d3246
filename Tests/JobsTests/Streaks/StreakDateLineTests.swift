@testable import Jobs

import LocalTime
import Testing

/// The learner lives in Pago Pago, eleven hours behind UTC, studies on 4 and 5 May 2026, and moves to Kiritimati, fourteen
/// hours ahead of it: where the learner is, two dates are gone.
@Suite("Streaks of learners who move over more than 24 hours")
struct StreakDateLineTests {
  /// When 6 May and its hours of grace are over in Pago Pago: in Kiritimati it is 8 May, 04:00.
  private static let over = "2026-05-07T14:00:00Z"

  private func traveller(
    studyingUntil end: String, movingAt landing: String = "2026-05-06T11:00:00Z", tokens: Int = 0
  ) throws -> StreakNotebook {
    var learner = try StreakNotebook(in: "Pacific/Pago_Pago", tokens: tokens)
    try learner.study(endingAt: "2026-05-05T10:30:00Z")
    try learner.study(endingAt: end)
    try learner.update(at: "2026-05-06T10:45:00Z")
    try learner.move(to: "Pacific/Kiritimati", at: landing)
    return learner
  }

  @Test(arguments: [0, 1])
  func `two days are skipped when in the new place the study before them was on the second`(
    tokens: Int
  ) throws {
    // 23:30, which in Kiritimati is half past midnight on 7 May.
    var learner = try traveller(studyingUntil: "2026-05-06T10:30:00Z", tokens: tokens)
    try learner.update(at: Self.over)
    try learner.study(endingAt: "2026-05-07T22:00:00Z")

    try learner.update(at: "2026-05-07T22:15:00Z")

    #expect(learner.line == "3 from 2026-05-04 through 2026-05-08")
    #expect(
      learner.story.suffix(3) == [
        "travelled 2026-05-06 moved_east 2-2", "travelled 2026-05-07 moved_east 2-2",
        "extended 2026-05-08 studied 2-3",
      ])
    #expect(learner.balance == tokens && learner.ledger == [])
  }

  @Test func `two days are skipped at once when where the first study was it is the next day`()
    throws
  {
    var learner = try traveller(studyingUntil: "2026-05-05T17:00:00Z")
    // 6 May, 23:30 in Pago Pago.
    try learner.study(endingAt: "2026-05-07T10:30:00Z")

    try learner.update(at: "2026-05-07T10:45:00Z")

    #expect(learner.line == "3 from 2026-05-04 through 2026-05-08")
    #expect(learner.repairs.values.map(\.state) == [.travelled, .travelled])
  }

  @Test func `a study of the second of two days has the first skipped at once`() throws {
    var learner = try traveller(studyingUntil: "2026-05-06T10:30:00Z")
    // 05:00 on 7 May, which in Pago Pago is 04:00 on 6 May.
    try learner.study(endingAt: "2026-05-06T15:00:00Z")

    try learner.update(at: "2026-05-06T15:15:00Z")

    #expect(learner.line == "3 from 2026-05-04 through 2026-05-07")
    #expect(learner.story.suffix(2).first == "travelled 2026-05-06 moved_east 2-2")
  }

  @Test func `a day that both calendars have missed is missed, and named by the reset`()
    throws
  {
    // 10:00 in Pago Pago, which in Kiritimati is 11:00 on 6 May.
    var learner = try traveller(studyingUntil: "2026-05-05T21:00:00Z")

    try learner.update(at: Self.over)
    try learner.study(endingAt: "2026-05-08T05:00:00Z")
    try learner.update(at: "2026-05-08T05:15:00Z")

    #expect(learner.line == "1 from 2026-05-08 through 2026-05-08")
    #expect(
      learner.story.suffix(3) == [
        "travelled 2026-05-06 moved_east 2-2", "reset 2026-05-07 missed_without_token 2-0",
        "extended 2026-05-08 studied 0-1",
      ])
  }

  @Test func `a run that comes days later writes what runs of every hour have written`() throws {
    var late = try traveller(studyingUntil: "2026-05-06T10:30:00Z")
    var steady = late
    try late.study("2026-05-08", receivedAt: "2026-05-07T22:00:00Z")
    steady.studies = late.studies
    let start = try Instant("2026-05-06T11:00:00Z")

    for hour in 0...72 {
      try steady.update(at: start.advanced(bySeconds: 3600 * hour), lookBack: 2)
    }
    try late.update(at: start.advanced(bySeconds: 3600 * 72))

    #expect(late.saved == steady.saved && late.events == steady.events)
    #expect(late.repairs == steady.repairs)
  }
}
