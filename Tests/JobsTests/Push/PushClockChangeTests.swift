import LocalTime
import Testing

@testable import Jobs

@Suite("Pushes where the clock changes")
struct PushClockChangeTests {
  @Test(arguments: [
    // In New York 02:30 does not exist on 8 March: the window begins 45 minutes after 03:00.
    ("America/New_York", "2026-03-07T02:30", "2026-03-08", "reminder 03:45 to 04:30"),
    // 01:30 comes twice on 1 November: 45 minutes after the first of them it is 01:15 again.
    ("America/New_York", "2026-10-31T01:30", "2026-11-01", "reminder 01:15 to 02:00"),
    // In Lord Howe it is 01:30 again at 02:00, and 02:30 at once half a year later.
    ("Australia/Lord_Howe", "2026-04-04T01:15", "2026-04-05", "reminder 01:30 to 02:15"),
    ("Australia/Lord_Howe", "2026-10-03T01:30", "2026-10-04", "reminder 02:45 to 03:30"),
  ])
  func `a window lasts 45 minutes by the watch`(
    zone: String, study: String, day: String, window: String
  ) throws {
    let learner = try PushCase(in: zone, studies: [study], quiet: QuietHours(from: 0, to: 0))

    #expect(try learner.window(on: day) == window)
  }

  @Test func `in Lord_Howe quiet hours end by the wall on the night of the change`() throws {
    let quiet = QuietHours(from: 22 * 60, to: 105)
    let early = try PushCase(
      in: "Australia/Lord_Howe", studies: ["2026-04-04T00:45"], quiet: quiet)

    // From 01:30 the clock goes to 02:00, back to 01:30 and on: 01:45 to 02:00, then 01:45 to 02:00 again.
    #expect(try early.window(on: "2026-04-05") == "reminder 01:45 to 01:30")
  }

  @Test func `of an evening that comes twice the quiet part is left out both times`() throws {
    let learner = try PushCase(
      in: "America/New_York", studies: ["2026-10-31T00:30"],
      quiet: QuietHours(from: 90, to: 23 * 60))

    // 01:15 to 01:30, quiet until 02:00, which is 01:00: nothing of the second pass is left in the window.
    #expect(try learner.window(on: "2026-11-01") == "reminder 01:15 to 01:30")
  }

  @Test func `the day after 29 December 2011 is the 31st in Apia`() throws {
    var learner = try PushCase(in: "Pacific/Apia", studies: "2011-12-28T20:00")
    learner.facts.rows = [try PushRow("2011-12-29", .sent, handedAt: "2011-12-30T07:00:00Z")]

    let agenda = try learner.planner(at: "2011-12-29T23:30").agenda()
    let plan = try learner.planner(at: "2011-12-29T23:30").plan(for: CivilDate("2011-12-29"))

    #expect(agenda.decisions.isEmpty)
    #expect(agenda.lookAt.text(in: learner.zone) == "2011-12-31T20:45:00+14:00")
    #expect(plan.dayEnd.text(in: learner.zone) == "2011-12-31T00:00:00+14:00")
  }

  @Test func `a study of the day that Apia never had is one of an earlier day`() throws {
    var learner = try PushCase(in: "Pacific/Apia")
    let end = try Instant("2011-12-30T09:30:00Z")
    // A phone that knew nothing of the change wrote down the date that its calendar showed.
    learner.facts.studies = [.init(end: end, day: try CivilDate("2011-12-30"))]

    #expect(try learner.window(on: "2011-12-31") == "reminder 21:15 to 22:00 in a hurry")
  }

  @Test func `who flies from Auckland to Honolulu gets no second push within eight hours`() throws {
    // Studied in Auckland on 2 March at noon, was reminded there on the 2nd, and is in Honolulu on the 1st.
    var learner = try PushCase(in: "Pacific/Honolulu")
    learner.facts.studies = [
      .init(end: try Instant("2026-03-01T23:00:00Z"), day: try CivilDate("2026-03-02"))
    ]
    learner.facts.rows = [
      try PushRow("2026-03-02", .sent, handedAt: "2026-03-02T00:00:00Z")
    ]

    let planner = try learner.planner(at: "2026-03-01T23:50:00Z")
    let agenda = planner.agenda()

    #expect(planner.today == (try CivilDate("2026-03-01")))
    #expect(agenda.decisions.map(\.plan.kind) == [.followUp])
    #expect(agenda.decisions.map(\.verdict) == [.suppressed(.capped)])
    // The 2nd has had its push, so the next one is that of the 3rd.
    #expect(planner.zone.localDay(of: agenda.lookAt) == (try CivilDate("2026-03-03")))
  }

  @Test func `who flew west is followed up on the day that it is there`() throws {
    var learner = try PushCase(in: "Pacific/Honolulu")
    learner.facts.studies = [
      .init(end: try Instant("2026-03-01T23:00:00Z"), day: try CivilDate("2026-03-02"))
    ]

    let agenda = try learner.planner(at: "2026-03-01T23:40:00Z").agenda()

    #expect(agenda.decisions.map(\.plan.day) == [try CivilDate("2026-03-01")])
    #expect(agenda.decisions.map(\.verdict) == [.planned])
  }

  @Test func `who changes zone at 23_59 gets a push of the new day, and none of the old one`()
    throws
  {
    // Planned in Honolulu for 23:58 on the 1st; at 23:59 the learner is in Auckland, at 22:59 on the 2nd.
    var learner = try PushCase(in: "Pacific/Auckland", quiet: QuietHours(from: 0, to: 0))
    learner.facts.preferredMinute = 23 * 60 + 15
    learner.facts.rows = [
      try PushRow("2026-03-01", .planned, .first, plannedAt: "2026-03-02T09:10:00Z")
    ]
    learner.facts.changedAt = try Instant("2026-03-02T09:59:00Z")

    let agenda = try learner.planner(at: "2026-03-02T10:00:00Z").agenda()

    #expect(agenda.decisions.map(\.plan.day) == [try CivilDate("2026-03-01")])
    #expect(agenda.decisions.map(\.verdict) == [.expired(.windowPassed)])
    #expect(agenda.lookAt.text(in: learner.zone) == "2026-03-02T23:15:00+13:00")
  }
}
