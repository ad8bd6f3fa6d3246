@testable import Jobs

import LocalTime
import Testing

@Suite("A study that arrives late")
struct LateEvidenceTests {
  /// A learner in UTC who studied on the first days of March and missed the 4th.
  private func learner(tokens: Int, autoRepair: Bool = false) throws -> StreakNotebook {
    var learner = try StreakNotebook(tokens: tokens, autoRepair: autoRepair)
    for day in 1...3 { try learner.study("2026-03-0\(day)") }
    try learner.update(at: "2026-03-05T03:00:00Z")
    return learner
  }

  @Test func `undoes a reset`() throws {
    var learner = try learner(tokens: 0)
    try learner.study("2026-03-04", receivedAt: "2026-03-05T05:00:00Z")

    try learner.update(at: "2026-03-05T05:15:00Z")

    #expect(learner.line == "4 from 2026-03-01 through 2026-03-04")
    #expect(learner.story.last == "restored 2026-03-04 studied_late 0-4")
  }

  @Test func `joins the chain before the missed day with the one after it`() throws {
    var learner = try learner(tokens: 0)
    try learner.study("2026-03-05")
    try learner.study("2026-03-04", receivedAt: "2026-03-05T17:00:00Z")

    try learner.update(at: "2026-03-05T17:00:00Z")

    #expect(learner.line == "5 from 2026-03-01 through 2026-03-05")
    #expect(learner.story.last == "restored 2026-03-04 studied_late 1-5")
  }

  @Test func `withdraws the offer to repair the day`() throws {
    var learner = try learner(tokens: 1)
    try learner.study("2026-03-04", receivedAt: "2026-03-05T05:00:00Z")

    try learner.update(at: "2026-03-05T05:15:00Z")

    #expect(learner.line == "4 from 2026-03-01 through 2026-03-04")
    #expect(learner.repairs.values.map(\.state) == [.withdrawn] && learner.balance == 1)
    #expect(learner.story.last == "restored 2026-03-04 studied_late 3-4")
  }

  @Test func `returns the token that was spent on the day, once, however often it arrives`() throws
  {
    var learner = try learner(tokens: 1, autoRepair: true)
    try learner.study("2026-03-04", receivedAt: "2026-03-05T05:00:00Z")
    try learner.update(at: "2026-03-05T05:15:00Z")
    try learner.study("2026-03-04", receivedAt: "2026-03-05T06:00:00Z")

    try learner.update(at: "2026-03-05T06:15:00Z")

    #expect(learner.line == "4 from 2026-03-01 through 2026-03-04")
    #expect(learner.ledger == ["spent:2026-03-04 spent", "returned:2026-03-04 returned"])
    #expect(learner.balance == 1 && learner.repairs.values.map(\.state) == [.returned])
    #expect(learner.story.last == "restored 2026-03-04 studied_late 3-4")
  }

  @Test func `after two missed days restores the chain, which the second day then breaks`() throws {
    var learner = try learner(tokens: 0)
    try learner.study("2026-03-04", receivedAt: "2026-03-06T12:00:00Z")

    try learner.update(at: "2026-03-06T12:00:00Z")

    #expect(learner.line == "none" && learner.saved?.longest == 4)
  }

  @Test func `after two missed days lets a token repair the second while there is time`() throws {
    var learner = try learner(tokens: 0)
    learner.balance = 1
    try learner.study("2026-03-04", receivedAt: "2026-03-06T12:00:00Z")

    try learner.update(at: "2026-03-06T12:00:00Z")

    #expect(
      learner.line == "4 from 2026-03-01 through 2026-03-04, 2026-03-05 can be repaired")
    #expect(
      learner.story.suffix(2) == [
        "restored 2026-03-04 studied_late 0-4", "repairable 2026-03-05 missed_with_token 4-4",
      ])
  }

  @Test func `brings the chain before the missed day back from behind one that has begun since`()
    throws
  {
    var learner = try learner(tokens: 0)
    try learner.update(at: "2026-03-06T03:00:00Z")
    learner.balance = 1
    try learner.study("2026-03-06")
    try learner.study("2026-03-04", receivedAt: "2026-03-06T17:00:00Z")

    try learner.update(at: "2026-03-06T17:00:00Z")

    #expect(
      learner.line == "4 from 2026-03-01 through 2026-03-04, 2026-03-05 can be repaired")
    #expect(
      learner.story.suffix(3) == [
        "extended 2026-03-06 studied 0-1", "restored 2026-03-04 studied_late 1-4",
        "repairable 2026-03-05 missed_with_token 4-4",
      ])
  }

  @Test func `that was committed late counts although its instant has passed`() throws {
    var learner = try learner(tokens: 1, autoRepair: true)
    try learner.study("2026-03-04", receivedAt: "2026-03-05T02:00:00Z")

    try learner.update(at: "2026-03-05T03:15:00Z")

    #expect(learner.line == "4 from 2026-03-01 through 2026-03-04" && learner.balance == 1)
    #expect(learner.ledger.last == "returned:2026-03-04 returned")
  }

  @Test func `returns a token to one who holds three as a theme`() throws {
    var learner = try learner(tokens: 1, autoRepair: true)
    learner.balance = 3
    try learner.study("2026-03-04", receivedAt: "2026-03-05T05:00:00Z")

    try learner.update(at: "2026-03-05T05:15:00Z")

    #expect(learner.ledger.last == "returned:2026-03-04 capped" && learner.balance == 3)
    #expect(learner.gifts.last == "2026-03-01 4 theme returned")
  }
}
