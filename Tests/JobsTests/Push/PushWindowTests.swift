import LocalTime
import Testing

@testable import Jobs

@Suite("The window of a push")
struct PushWindowTests {
  @Test(arguments: [
    (["2026-03-01T10:00"], "follow_up 10:45 to 11:30"),
    (["2026-03-01T10:00:37"], "follow_up 10:46 to 11:30"),
    (["2026-03-01T08:00", "2026-03-01T10:00"], "follow_up 10:45 to 11:30"),
    (["2026-03-01T20:45"], "follow_up 21:30 to 22:00"),
    (["2026-03-01T21:14"], "follow_up 21:59 to 22:00"),
    (["2026-03-01T21:15"], "follow_up quiet_hours"),
    (["2026-03-01T23:14"], "follow_up quiet_hours"),
    (["2026-03-01T23:15"], "follow_up day_over"),
    (["2026-03-01T05:30"], "follow_up quiet_hours"),
    (["2026-03-01T05:31"], "follow_up 07:00 to 07:01"),
    (["2026-03-01T02:00"], "follow_up quiet_hours"),
  ])
  func `a study of the day is followed up after 45 to 90 minutes, outside of quiet hours`(
    studies: [String], window: String
  ) throws {
    let learner = try PushCase(in: "Asia/Seoul", studies: studies)

    #expect(try learner.window(on: "2026-03-01") == window)
  }

  @Test(arguments: [
    (["2026-02-28T20:10"], "reminder 20:55 to 21:40"),
    (["2025-11-11T09:00"], "reminder 09:45 to 10:30"),
    (["2026-02-28T20:30"], "reminder 21:15 to 22:00"),
    (["2026-02-28T20:31"], "reminder 21:16 to 22:00"),
    (["2026-02-28T21:15"], "reminder 21:15 to 22:00 in a hurry"),
    (["2026-02-28T23:15"], "reminder 21:15 to 22:00 in a hurry"),
    (["2026-02-28T05:45"], "reminder 07:00 to 07:15"),
    (["2026-02-28T01:00"], "reminder 21:15 to 22:00 in a hurry"),
  ])
  func
    `a study of an earlier day is reminded of at its time of day, or in a hurry before quiet hours`(
      studies: [String], window: String
    ) throws
  {
    #expect(try PushCase(in: "Asia/Seoul", studies: studies).window(on: "2026-03-01") == window)
  }

  @Test(arguments: [
    // Two studies are no habit, three are: the latest counts, then the middle one.
    (["2026-02-20T08:00", "2026-02-28T20:10"], "reminder 20:55 to 21:40"),
    (["2026-02-20T08:00", "2026-02-22T18:00", "2026-02-28T20:10"], "reminder 18:45 to 19:30"),
    // The 14 days before 1 March begin with 15 February.
    (["2026-02-15T08:00", "2026-02-22T18:00", "2026-02-28T20:10"], "reminder 18:45 to 19:30"),
    (["2026-02-14T08:00", "2026-02-22T18:00", "2026-02-28T20:10"], "reminder 20:55 to 21:40"),
    // Around midnight: 23:50 lies between 23:30 and 00:20.
    (
      ["2026-02-20T23:30", "2026-02-23T00:20", "2026-02-27T23:50"],
      "reminder 21:15 to 22:00 in a hurry"
    ),
  ])
  func `three studies within 14 days make a habit`(studies: [String], window: String) throws {
    #expect(try PushCase(in: "Asia/Seoul", studies: studies).window(on: "2026-03-01") == window)
  }

  @Test(arguments: [
    ([600], 600), ([600, 700], 600), ([600, 700, 720], 700),
    ([1430, 20, 1410], 1430), ([0, 720], 0), ([100, 100, 900], 100), ([0, 360, 720, 1080], 0),
    ([10, 1430, 1435, 5], 5),
  ])
  func `the habitual minute is the one nearest to all others around the clock`(
    minutes: [Int], median: Int
  ) {
    #expect(CircularMedian.minute(of: minutes) == median)
    #expect(CircularMedian.minute(of: []) == nil)
  }

  @Test(arguments: [
    (nil, "first 19:00 to 19:45"), (480, "first 08:00 to 08:45"), (1290, "first 21:30 to 22:00"),
    (1320, "first 21:15 to 22:00 in a hurry"), (0, "first 21:15 to 22:00 in a hurry"),
    (390, "first 07:00 to 07:15"),
  ])
  func `who has never studied is asked at the preferred minute, else at seven in the evening`(
    preferred: Int?, window: String
  ) throws {
    var learner = try PushCase()
    learner.facts.preferredMinute = preferred

    #expect(try learner.window(on: "2026-03-01") == window)
  }

  @Test(arguments: [
    ("2026-02-28T20:10", "reminder 20:55 to 21:40"),
    ("2026-02-28T22:30", "reminder 23:15 to 00:00"),
    ("2026-02-28T22:45", "reminder 23:30 to 00:00"),
    ("2026-02-28T23:15", "reminder 23:15 to 00:00 in a hurry"),
    ("2026-02-28T02:00", "reminder 02:45 to 03:30"),
    ("2026-03-01T22:45", "follow_up 23:30 to 00:00"),
    ("2026-03-01T23:14:30", "follow_up day_over"),
  ])
  func `without quiet hours the day's end is all that cuts`(study: String, window: String) throws {
    let learner = try PushCase(studies: study, quiet: QuietHours(from: 300, to: 300))

    #expect(try learner.window(on: "2026-03-01") == window)
  }

  @Test(arguments: [
    ("2026-02-28T10:00", "reminder 10:45 to 11:30"),
    ("2026-02-28T10:45", "reminder 11:30 to 12:00"),
    ("2026-02-28T11:30", "reminder 11:15 to 12:00 in a hurry"),
    ("2026-02-28T12:30", "reminder 13:30 to 14:00"),
    ("2026-02-28T23:30", "reminder 23:15 to 00:00 in a hurry"),
    ("2026-03-01T11:30", "follow_up quiet_hours"),
    ("2026-03-01T22:00", "follow_up 22:45 to 23:30"),
  ])
  func `quiet hours that span noon are like any other`(study: String, window: String) throws {
    let learner = try PushCase(
      studies: study, quiet: QuietHours(from: 12 * 60, to: 13 * 60 + 30))

    #expect(try learner.window(on: "2026-03-01") == window)
  }

  @Test(arguments: [(1439, "23:14 to 23:59"), (1380, "22:15 to 23:00")])
  func `quiet hours that end with the day have the hurry before them`(from: Int, window: String)
    throws
  {
    let learner = try PushCase(
      studies: "2026-02-28T23:30", quiet: QuietHours(from: from, to: 0))

    #expect(try learner.window(on: "2026-03-01") == "reminder \(window) in a hurry")
  }

  @Test(arguments: [
    (0, "2026-02-28T23:15", "reminder 23:15 to 00:00 in a hurry"),
    (0, "2026-02-28T23:00", "reminder 23:45 to 00:00"),
    (0, "2026-02-28T02:00", "reminder quiet_hours"),
    (60, "2026-02-28T23:30", "reminder 23:15 to 00:00 in a hurry"),
    (60, "2026-02-28T00:30", "reminder 00:15 to 01:00 in a hurry"),
    (1439, "2026-02-28T23:30", "reminder 23:14 to 23:59 in a hurry"),
  ])
  func `quiet hours that begin after midnight leave the evening to who studies late`(
    from: Int, study: String, window: String
  ) throws {
    let learner = try PushCase(studies: study, quiet: QuietHours(from: from, to: 7 * 60))

    #expect(try learner.window(on: "2026-03-01") == window)
  }

  @Test func `what is left on both sides of quiet hours is the longer side, or the earlier of two`()
    throws
  {
    let window = { (from: Int, to: Int) in
      try PushCase(studies: "2026-02-28T11:15", quiet: QuietHours(from: from, to: to))
        .window(on: "2026-03-01")
    }

    #expect(try window(12 * 60 + 10, 12 * 60 + 20) == "reminder 12:20 to 12:45")
    #expect(try window(12 * 60 + 25, 12 * 60 + 35) == "reminder 12:00 to 12:25")
    #expect(try window(12 * 60 + 20, 12 * 60 + 25) == "reminder 12:00 to 12:20")
  }

  @Test func `hurrying never reaches back into the day before`() throws {
    let learner = try PushCase(studies: "2026-02-28T00:30", quiet: QuietHours(from: 20, to: 360))
    let never = try PushCase(studies: "2026-02-28T00:30", quiet: QuietHours(from: 0, to: 360))

    #expect(try learner.window(on: "2026-03-01") == "reminder 00:00 to 00:20 in a hurry")
    #expect(try never.window(on: "2026-03-01") == "reminder quiet_hours")
  }
}
