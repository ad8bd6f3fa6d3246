@testable import Jobs

import LocalTime
import Testing

@Suite("A streak, day by day")
struct StreakReducerTests {
  /// A learner in UTC who studied on the first days of March.
  private func learner(
    days: Int, tokens: Int = 0, autoRepair: Bool = false
  ) throws -> StreakNotebook {
    var learner = try StreakNotebook(tokens: tokens, autoRepair: autoRepair)
    for day in 1...days { try learner.study("2026-03-0\(day)") }
    return learner
  }

  @Test func `each day studied makes the chain longer by one, a second session does not`()
    throws
  {
    var learner = try learner(days: 2)
    try learner.study("2026-03-02", receivedAt: "2026-03-02T20:00:00Z")

    try learner.update(at: "2026-03-02T21:00:00Z")

    #expect(learner.line == "2 from 2026-03-01 through 2026-03-02")
    #expect(
      learner.story == ["extended 2026-03-01 studied 0-1", "extended 2026-03-02 studied 1-2"])
  }

  @Test(arguments: [
    ("2026-03-04T02:59:59Z", "2 from 2026-03-01 through 2026-03-02"),
    ("2026-03-04T03:00:00Z", "none"),
  ])
  func `a day is missed when it is over for three hours, and not a second before`(
    instant: String, line: String
  ) throws {
    var learner = try learner(days: 2)

    try learner.update(at: instant)

    #expect(learner.line == line)
    #expect(learner.saved?.longest == 2)
  }

  @Test(arguments: [("2026-03-04T03:00:00Z", "3"), ("2026-03-04T03:00:01Z", "0")])
  func `a study counts in time when it is received by the end of the grace`(
    received: String, length: String
  ) throws {
    var learner = try learner(days: 2)
    try learner.study("2026-03-03", receivedAt: received)

    try learner.update(at: "2026-03-04T03:00:00Z")

    #expect("\(learner.saved?.length ?? -1)" == length)
  }

  @Test func `without a token the streak is reset, the longest stays, and the event says why`()
    throws
  {
    var learner = try learner(days: 3)

    try learner.update(at: "2026-03-05T03:00:00Z")

    #expect(learner.line == "none" && learner.saved?.longest == 3)
    #expect(learner.story.last == "reset 2026-03-04 missed_without_token 3-0")
    #expect(learner.saved?.checkAt == nil)
  }

  @Test func `what was studied in the hours of grace begins the next chain`() throws {
    var learner = try learner(days: 3)
    try learner.study("2026-03-05", receivedAt: "2026-03-05T01:00:00Z")

    try learner.update(at: "2026-03-05T03:00:00Z")

    #expect(learner.line == "1 from 2026-03-05 through 2026-03-05")
    #expect(learner.story.last == "reset 2026-03-04 missed_without_token 3-1")
  }

  @Test func `with a token the missed day can be repaired until the end of the day after`() throws {
    var learner = try learner(days: 3, tokens: 1)

    try learner.update(at: "2026-03-05T03:00:00Z")

    #expect(
      learner.line == "3 from 2026-03-01 through 2026-03-03, 2026-03-04 can be repaired")
    #expect(learner.story.last == "repairable 2026-03-04 missed_with_token 3-3")
    #expect(learner.repairs.values.map(\.state) == [.offered] && learner.balance == 1)
    #expect(learner.saved?.checkAt == (try Instant("2026-03-06T03:00:00Z")))
  }

  @Test func `an accepted repair spends the token, keeps the chain and adds no day to it`() throws {
    var learner = try learner(days: 3, tokens: 1)
    try learner.update(at: "2026-03-05T03:00:00Z")
    try learner.accept("2026-03-04", at: "2026-03-05T10:00:00Z")
    try learner.study("2026-03-05")

    try learner.update(at: "2026-03-05T12:15:00Z")

    #expect(learner.line == "4 from 2026-03-01 through 2026-03-05")
    #expect(learner.ledger == ["spent:2026-03-04 spent"] && learner.balance == 0)
    #expect(
      learner.story.suffix(2) == [
        "repaired 2026-03-04 accepted 3-3", "extended 2026-03-05 studied 3-4",
      ])
  }

  @Test func `a day studied before the repair is accepted belongs to the chain`() throws {
    var learner = try learner(days: 3, tokens: 1)
    try learner.study("2026-03-05", receivedAt: "2026-03-05T08:00:00Z")
    try learner.update(at: "2026-03-05T08:15:00Z")
    try learner.accept("2026-03-04", at: "2026-03-05T10:00:00Z")

    try learner.update(at: "2026-03-05T12:15:00Z")

    #expect(learner.line == "4 from 2026-03-01 through 2026-03-05")
    #expect(learner.story.last == "repaired 2026-03-04 accepted 3-4")
  }

  @Test(arguments: ["2026-03-06T02:59:59Z", "2026-03-06T03:00:00Z"])
  func `a repair can be accepted until the offer lapses, after the grace of the day after`(
    accepted: String
  ) throws {
    var learner = try learner(days: 3, tokens: 1)
    try learner.update(at: "2026-03-05T03:00:00Z")
    try learner.accept("2026-03-04", at: accepted)

    try learner.update(at: "2026-03-06T03:00:00Z")

    let isInTime = accepted < "2026-03-06T03"
    #expect(learner.repairs.values.map(\.state) == [isInTime ? .repaired : .lapsed])
    #expect(learner.balance == (isInTime ? 0 : 1))
    // The 5th was not studied either, and there is no token left for it.
    #expect(
      learner.story.last
        == (isInTime
          ? "reset 2026-03-05 missed_without_token 3-0"
          : "reset 2026-03-04 not_repaired_in_time 3-0"))
  }

  @Test func `an offer that nobody accepts lapses, and the day studied meanwhile begins a chain`()
    throws
  {
    var learner = try learner(days: 3, tokens: 1)
    try learner.study("2026-03-05")

    try learner.update(at: "2026-03-06T03:00:00Z")

    #expect(learner.line == "1 from 2026-03-05 through 2026-03-05")
    #expect(learner.repairs.values.map(\.state) == [.lapsed] && learner.balance == 1)
    #expect(learner.story.last == "reset 2026-03-04 not_repaired_in_time 3-1")
  }

  @Test func `with auto_repair a token is spent at once, day after day, while there is one`() throws
  {
    var learner = try learner(days: 3, tokens: 2, autoRepair: true)

    try learner.update(at: "2026-03-07T03:00:00Z")

    #expect(learner.ledger == ["spent:2026-03-04 spent", "spent:2026-03-05 spent"])
    #expect(
      learner.story.suffix(3) == [
        "repaired 2026-03-04 auto_repair 3-3", "repaired 2026-03-05 auto_repair 3-3",
        "reset 2026-03-06 missed_without_token 3-0",
      ])
  }

  @Test func `who moves west after accepting is not asked again`() throws {
    var learner = try StreakNotebook(in: "Asia/Seoul", tokens: 1)
    try learner.study("2026-03-01", "2026-03-02", "2026-03-03")
    try learner.update(at: "2026-03-04T18:00:00Z")
    try learner.accept("2026-03-04", at: "2026-03-04T18:05:00Z")
    learner.zone = try StreakNotebook.zones.get().zone(named: "America/Los_Angeles")

    try learner.update(at: "2026-03-05T12:00:00Z")

    #expect(learner.line == "3 from 2026-03-01 through 2026-03-04")
    #expect(learner.ledger == ["spent:2026-03-04 spent"])
  }

  @Test func `an offer is withdrawn when the chain that it would repair is gone`() throws {
    var learner = try learner(days: 3, tokens: 1)
    try learner.update(at: "2026-03-05T03:00:00Z")
    learner.studies = []

    try learner.update(at: "2026-03-05T10:00:00Z")

    #expect(learner.line == "none" && learner.balance == 1)
    #expect(learner.repairs.values.map(\.state) == [.withdrawn])
  }

  @Test func `a grace that was made shorter since costs nobody a repair`() throws {
    var learner = try learner(days: 3, tokens: 1, autoRepair: true)
    learner.rules.grace = .seconds(86_400)
    try learner.update(at: "2026-03-03T13:00:00Z")
    learner.rules.grace = .zero

    // The moment at which the longer grace is over, and all that a run then reads.
    try learner.update(at: "2026-03-06T00:00:00Z", lookBack: 2)

    #expect(learner.ledger == ["spent:2026-03-04 spent"])
  }

  @Test func `no token is spent on a chain that is gone, although the offer was accepted`() throws {
    var learner = try learner(days: 3, tokens: 1)
    try learner.update(at: "2026-03-05T03:00:00Z")
    try learner.accept("2026-03-04", at: "2026-03-05T03:00:00Z")
    learner.studies = []

    try learner.update(at: "2026-03-05T10:00:00Z")

    #expect(learner.line == "none" && learner.balance == 1)
    #expect(learner.repairs.values.map(\.state) == [.withdrawn])
  }

  @Test func `who turns auto_repair on while an offer waits has accepted it`() throws {
    var learner = try learner(days: 3, tokens: 1)
    try learner.update(at: "2026-03-05T04:00:00Z")
    let before = learner.line
    learner.autoRepairSince = try Instant("2026-03-05T09:00:00Z")

    try learner.update(at: "2026-03-05T10:00:00Z")

    #expect(before == "3 from 2026-03-01 through 2026-03-03, 2026-03-04 can be repaired")
    #expect(learner.line == "3 from 2026-03-01 through 2026-03-04")
    #expect(learner.ledger == ["spent:2026-03-04 spent"])
    #expect(learner.saved?.changedAt == learner.autoRepairSince)
  }

  @Test func `a run that comes days late decides what runs in time would have decided`() throws {
    var late = try learner(days: 3, tokens: 1)
    try late.study("2026-03-05", receivedAt: "2026-03-05T08:00:00Z")
    var inTime = late
    for hour in 0..<144 {
      try inTime.update(at: Instant("2026-03-01T00:00:00Z").advanced(bySeconds: hour * 3600))
    }

    try late.update(at: "2026-03-06T23:00:00Z")

    #expect(late.saved == inTime.saved && late.events == inTime.events)
    #expect(late.entries == inTime.entries && late.repairs == inTime.repairs)
  }
}
