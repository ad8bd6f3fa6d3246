import LocalTime
import Testing

/// Single zones: the edges that a million checks against Python do not name.
struct ZoneTests {
  @Test(arguments: [
    ("America/New_York", "2026-03-08T02:30:00", "2026-03-08T07:00:00Z"),
    ("America/New_York", "2026-11-01T01:30:00", "2026-11-01T05:30:00Z"),
    ("Australia/Lord_Howe", "2026-04-05T01:45:00", "2026-04-04T14:45:00Z"),
    ("Europe/Dublin", "2026-10-25T01:30:00", "2026-10-25T00:30:00Z"),
    ("Africa/Casablanca", "2026-02-15T02:30:00", "2026-02-15T01:30:00Z"),
    ("Africa/Cairo", "2026-04-24T00:00:00", "2026-04-23T22:00:00Z"),
    ("Pacific/Apia", "2011-12-30T09:00:00", "2011-12-30T10:00:00Z"),
  ])
  func `a local time is the first instant that shows it, or the first after the gap`(
    name: String, local: String, expected: String
  ) throws {
    let found = try Given.zone(name).instant(of: LocalDateTime(local))

    #expect(found.description == expected)
  }

  @Test(arguments: [
    ("2026-03-08T02:30:00", []),
    ("2026-11-01T01:30:00", ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"]),
    ("2026-11-01T02:00:00", ["2026-11-01T07:00:00Z"]),
  ])
  func `all instants that show a local time can be had`(local: String, expected: [String]) throws {
    let newYork = try Given.zone("America/New_York")

    #expect(newYork.instants(showing: try LocalDateTime(local)).map(\.description) == expected)
  }

  @Test func `a zone without summer time shows each local time once`() throws {
    let found = try Given.zone("Asia/Tokyo").instants(showing: LocalDateTime("2026-03-08T02:30"))

    #expect(found.map(\.description) == ["2026-03-07T17:30:00Z"])
  }

  @Test func `a change of name that leaves the offset alone is no change`() throws {
    let vancouver = try Given.zone("America/Vancouver")
    let autumn = try instant("2026-11-01T09:00:00Z")

    #expect(vancouver.offset(at: autumn) == vancouver.offset(at: autumn.advanced(bySeconds: -1)))
    #expect(vancouver.instants(showing: try LocalDateTime("2026-11-01T01:30")).count == 1)
  }

  @Test(arguments: [
    ("America/New_York", "2026-03-08T06:59:59Z", "2026-03-08T07:00:00Z"),
    ("America/New_York", "2026-03-08T07:00:00Z", "2026-11-01T06:00:00Z"),
    ("America/New_York", "2400-03-12T07:00:00Z", "2400-11-05T06:00:00Z"),
    ("Asia/Tokyo", "2026-03-08T06:59:59Z", nil),
  ])
  func `the next change of clocks is that after an instant, if there is any`(
    name: String, text: String, expected: String?
  ) throws {
    #expect(try Given.zone(name).nextChange(after: instant(text))?.description == expected)
  }

  @Test(arguments: [
    ("2099-07-01T00:00:00Z", -14_400), ("2100-12-31T00:00:00Z", -18_000),
    ("2101-07-01T00:00:00Z", -14_400), ("2400-03-12T06:59:59Z", -18_000),
    ("2400-03-12T07:00:00Z", -14_400), ("9999-12-31T00:00:00Z", -18_000),
  ])
  func `the rule of a zone holds for ever`(text: String, offset: Int) throws {
    #expect(try Given.zone("America/New_York").offset(at: instant(text)) == offset)
  }

  @Test(arguments: [Int64.min, Int64.min + 1, -1, 0, Int64.max - 1, Int64.max])
  func `the ends of time are questions like others`(microseconds: Int64) throws {
    let end = Instant(microseconds: microseconds)

    for name in ["America/New_York", "Asia/Tokyo", "Pacific/Apia", "UTC"] {
      let zone = try Given.zone(name)
      let schedule = try CronSchedule(Cron("30 2 * * *"), in: zone)

      #expect(abs(zone.offset(at: end)) < 86_400)
      #expect(zone.previousDay(before: zone.localDay(of: end)) <= zone.localDay(of: end))
      #expect(schedule.next(after: end).map { $0.instant > end } ?? true)
      #expect(schedule.previous(before: end).map { $0.instant < end } ?? true)
    }
    let farthest = CivilDate(dayNumber: microseconds < 0 ? .min : .max)
    #expect(!Zone.utc.startOfDay(farthest).description.isEmpty)
  }
}
