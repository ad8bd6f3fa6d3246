import LocalTime
import Testing

/// What a tick says about itself.
struct ScheduleTickTests {
  @Test(arguments: [
    (
      "30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z",
      [
        "02:30 does not exist on 2026-03-08 in America/New_York:"
          + " runs at 03:00, the first moment after the gap", nil,
      ]
    ),
    (
      "15,45 2 * * *", "America/New_York", "2026-03-07T12:00:00Z",
      [
        "02:15 to 02:45 do not exist on 2026-03-08 in America/New_York:"
          + " runs once at 03:00, the first moment after the gap", nil,
      ]
    ),
    (
      "30 23 * * 6", "America/Nuuk", "2026-03-28T12:00:00Z",
      [
        "23:30 does not exist on 2026-03-28 in America/Nuuk:"
          + " runs at 00:00 on 2026-03-29, the first moment after the gap", nil,
      ]
    ),
    (
      "0 0 * * *", "Pacific/Apia", "2011-12-29T12:00:00Z",
      [
        "00:00 does not exist on 2011-12-30 in Pacific/Apia:"
          + " runs at 00:00 on 2011-12-31, the first moment after the gap", nil,
      ]
    ),
    (
      "30 1 * * *", "America/New_York", "2026-11-01T00:00:00Z",
      [
        "01:30 happens twice on 2026-11-01 in America/New_York: this is the first", nil,
      ]
    ),
    (
      "30 * * * *", "America/New_York", "2026-11-01T05:00:00Z",
      [
        "01:30 happens twice on 2026-11-01 in America/New_York: this is the first",
        "01:30 happens twice on 2026-11-01 in America/New_York: this is the second", nil,
      ]
    ),
    ("30 * * * *", "America/New_York", "2026-03-08T06:00:00Z", [nil, nil]),
    ("0 2 * * *", "Asia/Seoul", "2026-03-08T06:00:00Z", [nil]),
  ])
  func `a note says where a change of the clocks decided something`(
    text: String, zone: String, start: String, notes: [String?]
  ) throws {
    let schedule = try Given.schedule(text, zone)

    let ticks = schedule.ticks(
      after: try instant(start), through: try instant("2027-01-01T00:00:00Z"), limit: notes.count)

    #expect(ticks.map(\.note) == notes)
  }

  @Test func `a tick knows the time it was asked for and the time that clocks show`() throws {
    let schedule = try Given.schedule("30 2 * * *", "America/New_York")

    let tick = try #require(schedule.next(after: instant("2026-03-08T00:00:00-05:00")))

    #expect(tick.nominal.description == "2026-03-08T02:30:00")
    #expect(tick.local.description == "2026-03-08T03:00:00")
    #expect(tick.instant.description == "2026-03-08T07:00:00Z")
    #expect(
      tick.reason == .afterGap(first: tick.nominal, last: tick.nominal))
  }

  @Test func `ticks after an instant leave it out and include the end`() throws {
    let schedule = CronSchedule(try Cron("0 * * * *"), in: .utc)
    let (one, three) = (try instant("2026-01-01T01:00:00Z"), try instant("2026-01-01T03:00:00Z"))

    let after = schedule.ticks(after: one, through: three, limit: 10)
    let range = schedule.ticks(in: one..<three, limit: 10)

    #expect(after.map(\.local.hour) == [2, 3])
    #expect(range.map(\.local.hour) == [1, 2])
    #expect(schedule.ticks(after: one, through: three, limit: 1).map(\.local.hour) == [2])
    #expect(schedule.ticks(after: one, through: three, limit: 0).isEmpty)
    #expect(schedule.ticks(in: one..<one, limit: 10).isEmpty)
  }

  @Test func `a fraction of a second neither repeats nor loses a tick`() throws {
    let schedule = CronSchedule(try Cron("0 * * * *"), in: .utc)
    let one = try instant("2026-01-01T01:00:00Z")

    let just = Duration.microseconds(1)

    #expect(schedule.next(after: one - just)?.instant == one)
    #expect(schedule.next(after: one)?.local.hour == 2)
    #expect(schedule.next(after: one + just)?.local.hour == 2)
    #expect(schedule.previous(before: one - just)?.local.hour == 0)
    #expect(schedule.previous(before: one)?.local.hour == 0)
    #expect(schedule.previous(before: one + just)?.instant == one)
  }
}
