@testable import Jobs

import LocalTime
import Testing

@Suite("What the days of a streak earn")
struct StreakRewardTests {
  private func learner(days: Int, tokens: Int = 0) throws -> StreakNotebook {
    var learner = try StreakNotebook(tokens: tokens)
    let first = try CivilDate("2026-01-01")
    for day in 0..<days { try learner.study("\(first.advanced(by: day))") }
    try learner.update(at: "\(first.advanced(by: days - 1))T13:00:00Z")
    return learner
  }

  @Test func `the 3rd, 7th, 14th and 30th day earn a title or a theme, every 7th a token`() throws {
    let learner = try learner(days: 30)

    #expect(
      learner.gifts == [
        "2026-01-01 3 title milestone", "2026-01-01 7 theme milestone", "2026-01-01 7 token weekly",
        "2026-01-01 14 title milestone", "2026-01-01 14 token weekly", "2026-01-01 21 token weekly",
        "2026-01-01 28 theme capped", "2026-01-01 30 theme milestone",
      ])
    #expect(
      learner.ledger == [
        "earned:2026-01-01:7 earned", "earned:2026-01-01:14 earned", "earned:2026-01-01:21 earned",
        "earned:2026-01-01:28 capped",
      ])
    #expect(learner.balance == 3)
  }

  @Test func `the 7th day of one who holds three tokens gives both themes`() throws {
    let learner = try learner(days: 7, tokens: 3)

    #expect(learner.balance == 3)
    #expect(
      learner.gifts.suffix(2) == ["2026-01-01 7 theme milestone", "2026-01-01 7 theme capped"])
  }

  @Test func `a repaired day earns nothing, so the 8th day is the 7th that counts`() throws {
    var learner = try StreakNotebook(tokens: 1, autoRepair: true)
    for day in [1, 2, 3, 5, 6, 7] { try learner.study("2026-01-0\(day)") }
    try learner.update(at: "2026-01-07T23:00:00Z")
    let before = learner.ledger
    try learner.study("2026-01-08")

    try learner.update(at: "2026-01-08T23:00:00Z")

    #expect(before == ["spent:2026-01-04 spent"])
    #expect(learner.ledger.last == "earned:2026-01-01:7 earned" && learner.balance == 1)
  }

  @Test func `a token is there to spend from the instant at which it was earned`() throws {
    var learner = try learner(days: 7)
    learner.autoRepair = true

    try learner.update(at: "2026-01-09T03:00:00Z")

    #expect(learner.ledger == ["earned:2026-01-01:7 earned", "spent:2026-01-08 spent"])
    #expect(learner.line == "7 from 2026-01-01 through 2026-01-08")
  }

  @Test func `a chain that ended long ago still earns what a late study makes of it`() throws {
    var learner = try StreakNotebook()
    for day in 1...6 { try learner.study("2026-01-0\(day)") }
    try learner.study("2026-01-07", receivedAt: "2026-01-20T12:00:00Z")

    try learner.update(at: "2026-01-20T12:00:00Z")

    #expect(learner.line == "none" && learner.saved?.longest == 7)
    #expect(learner.ledger == ["earned:2026-01-01:7 earned"])
  }

  @Test func `a study of the day before a chain began earns nothing that the chain was given`()
    throws
  {
    var learner = try learner(days: 20)
    let (gifts, ledger) = (learner.gifts, learner.ledger)
    try learner.study("2025-12-31", receivedAt: "2026-01-20T14:00:00Z")

    try learner.update(at: "2026-01-20T14:00:00Z")

    #expect(learner.line == "21 from 2025-12-31 through 2026-01-20")
    #expect(ledger == ["earned:2026-01-01:7 earned", "earned:2026-01-01:14 earned"])
    #expect(learner.ledger == ledger + ["earned:2025-12-31:21 earned"])
    #expect(learner.gifts == gifts + ["2025-12-31 21 token weekly"])
  }

  @Test func `what a chain was given is asked for when only its last days are read`() throws {
    var learner = try learner(days: 4)
    let gifts = learner.gifts
    try learner.study("2025-12-31", receivedAt: "2026-01-04T14:00:00Z")

    try learner.update(at: "2026-01-04T14:00:00Z", lookBack: 8)

    #expect(learner.line == "5 from 2025-12-31 through 2026-01-04")
    #expect(gifts == ["2026-01-01 3 title milestone"] && learner.gifts == gifts)
  }

  @Test func `two chains that a late study joins keep what they were given, and earn the rest`()
    throws
  {
    var learner = try StreakNotebook()
    for day in 1...6 { try learner.study("2026-01-0\(day)") }
    for day in 8...15 { try learner.study(day < 10 ? "2026-01-0\(day)" : "2026-01-\(day)") }
    try learner.update(at: "2026-01-15T13:00:00Z")
    let ledger = learner.ledger
    try learner.study("2026-01-07", receivedAt: "2026-01-15T14:00:00Z")

    try learner.update(at: "2026-01-15T14:00:00Z", lookBack: 8)

    #expect(learner.line == "15 from 2026-01-01 through 2026-01-15")
    #expect(ledger == ["earned:2026-01-08:7 earned"])
    #expect(learner.ledger == ledger + ["earned:2026-01-01:14 earned"])
    #expect(
      learner.gifts == [
        "2026-01-01 3 title milestone", "2026-01-08 3 title milestone",
        "2026-01-08 7 theme milestone", "2026-01-08 7 token weekly",
        "2026-01-01 14 title milestone", "2026-01-01 14 token weekly",
      ])
  }

  @Test func `a new chain earns its milestones again`() throws {
    var learner = try StreakNotebook()
    for day in [1, 2, 3, 6, 7, 8] { try learner.study("2026-01-0\(day)") }

    try learner.update(at: "2026-01-08T13:00:00Z")

    #expect(
      learner.gifts == ["2026-01-01 3 title milestone", "2026-01-06 3 title milestone"])
  }
}
