@testable import Jobs

import LocalTime
import Testing

@Suite("Streaks and the clocks of the world")
struct StreakZoneTests {
  @Test func `who flies from Auckland to Honolulu gets a day more time and loses none`() throws {
    var learner = try StreakNotebook(in: "Pacific/Auckland")
    for day in 7...8 {
      try learner.study("2026-03-0\(day)", receivedAt: "2026-03-0\(day)T05:00:00Z")
    }
    try learner.update(at: "2026-03-08T06:00:00Z")
    learner.zone = try StreakNotebook.zones.get().zone(named: "Pacific/Honolulu")

    // In Auckland the 9th would be missed by now; in Honolulu it is still going on.
    try learner.update(at: "2026-03-09T20:00:00Z")

    #expect(learner.line == "2 from 2026-03-07 through 2026-03-08")
    #expect(learner.saved?.checkAt == (try Instant("2026-03-10T13:00:00Z")))
  }

  @Test func `a reset is taken back where the day turns out not to be over`() throws {
    var learner = try StreakNotebook(in: "Pacific/Auckland")
    try learner.study("2026-03-07", receivedAt: "2026-03-07T05:00:00Z")
    try learner.study("2026-03-08", receivedAt: "2026-03-08T05:00:00Z")
    try learner.update(at: "2026-03-09T15:00:00Z")
    let before = learner.line
    learner.zone = try StreakNotebook.zones.get().zone(named: "Pacific/Honolulu")

    try learner.update(at: "2026-03-09T16:00:00Z")

    #expect(before == "none")
    #expect(learner.line == "2 from 2026-03-07 through 2026-03-08")
    #expect(learner.story.last == "restored 2026-03-08 seen_anew 0-2")
  }

  @Test func `a chain whose missed day is open again comes back from behind the one after it`()
    throws
  {
    var learner = try StreakNotebook(in: "Asia/Seoul")
    try learner.study("2026-03-01", "2026-03-02", "2026-03-03")
    try learner.study("2026-03-05", receivedAt: "2026-03-04T20:00:00Z")
    try learner.update(at: "2026-03-04T20:15:00Z")
    let before = learner.line
    try learner.move(to: "America/Los_Angeles", at: "2026-03-04T22:00:00Z")

    try learner.update(at: "2026-03-04T22:15:00Z")

    #expect(before == "1 from 2026-03-05 through 2026-03-05")
    #expect(learner.line == "3 from 2026-03-01 through 2026-03-03")
    #expect(learner.story.last == "restored 2026-03-03 seen_anew 1-3")
  }

  @Test func `a zone that changes at 23:59 moves the end of the day, and the streak waits for it`()
    throws
  {
    var learner = try StreakNotebook(in: "Asia/Seoul")
    try learner.study("2026-03-07", receivedAt: "2026-03-07T05:00:00Z")
    try learner.update(at: "2026-03-08T14:59:00Z")
    learner.zone = try StreakNotebook.zones.get().zone(named: "Europe/Paris")

    try learner.update(at: "2026-03-08T23:59:00Z")

    #expect(learner.line == "1 from 2026-03-07 through 2026-03-07")
    #expect(learner.saved?.checkAt == (try Instant("2026-03-09T02:00:00Z")))
  }

  @Test func `the day that Apia never had is not missed`() throws {
    var learner = try StreakNotebook(in: "Pacific/Apia")
    try learner.study("2011-12-29", receivedAt: "2011-12-30T05:00:00Z")
    try learner.study("2011-12-31", receivedAt: "2011-12-31T05:00:00Z")

    try learner.update(at: "2011-12-31T12:00:00Z")

    #expect(learner.line == "2 from 2011-12-29 through 2011-12-31")
  }

  @Test func `the day after the one that Apia never had is missed like any other`() throws {
    var learner = try StreakNotebook(in: "Pacific/Apia", tokens: 1)
    try learner.study("2011-12-29", receivedAt: "2011-12-30T05:00:00Z")

    try learner.update(at: "2011-12-31T13:00:00Z")

    #expect(
      learner.line == "1 from 2011-12-29 through 2011-12-29, 2011-12-31 can be repaired")
  }

  @Test(arguments: [
    // The clocks of Lord Howe go back by half an hour on 2026-04-05 and forward on 2026-10-04.
    ("2026-04-04", "2026-04-05", "2026-04-06", "2026-04-05T16:30:00Z"),
    ("2026-10-03", "2026-10-04", "2026-10-05", "2026-10-04T16:00:00Z"),
  ])
  func `on the night of the change in Lord Howe the day ends at its own midnight`(
    studied: String, missed: String, next: String, missedAt: String
  ) throws {
    var before = try StreakNotebook(in: "Australia/Lord_Howe")
    try before.study(studied, receivedAt: "\(studied)T05:00:00Z")
    var after = before

    try before.update(at: Instant(missedAt).advanced(bySeconds: -1))
    try after.update(at: missedAt)

    #expect(before.saved?.length == 1)
    #expect(after.story.last == "reset \(missed) missed_without_token 1-0")
  }

  @Test func `a midnight that comes twice ends the day the first time`() throws {
    // In Havana the clocks go from 01:00 back to 00:00 on 2026-11-01.
    var learner = try StreakNotebook(in: "America/Havana")
    try learner.study("2026-10-30", receivedAt: "2026-10-30T18:00:00Z")

    try learner.update(at: "2026-11-01T07:00:00Z")

    #expect(learner.line == "none")
    #expect(learner.events.last?.at == (try Instant("2026-11-01T07:00:00Z")))
  }
}
