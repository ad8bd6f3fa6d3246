import LocalTime
import Testing

/// Local days: where they begin, how long they are, and which one came before.
struct LocalDayTests {
  @Test(arguments: [
    ("America/New_York", "2026-03-07", "2026-03-07T05:00:00Z", 24.0, 8.0),
    ("America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", 23.0, 9.0),
    ("America/New_York", "2026-10-31", "2026-10-31T04:00:00Z", 24.0, 10.0),
    ("America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", 25.0, 9.0),
    ("Australia/Lord_Howe", "2026-10-03", "2026-10-02T13:30:00Z", 24.0, 8.5),
    ("Australia/Lord_Howe", "2026-04-04", "2026-04-03T13:00:00Z", 24.0, 9.5),
    ("Africa/Casablanca", "2026-02-14", "2026-02-13T23:00:00Z", 24.0, 10.0),
    ("Africa/Casablanca", "2026-03-21", "2026-03-21T00:00:00Z", 24.0, 8.0),
    ("Asia/Seoul", "2026-03-08", "2026-03-07T15:00:00Z", 24.0, 9.0),
    ("America/Nuuk", "2026-03-28", "2026-03-28T02:00:00Z", 23.0, 8.0),
    ("America/Nuuk", "2026-10-24", "2026-10-24T01:00:00Z", 25.0, 10.0),
    ("Africa/Cairo", "2026-04-23", "2026-04-22T22:00:00Z", 24.0, 8.0),
    ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z", 23.0, 9.0),
    ("Africa/Cairo", "2026-10-29", "2026-10-28T21:00:00Z", 25.0, 10.0),
    ("America/Havana", "2026-03-08", "2026-03-08T05:00:00Z", 23.0, 9.0),
    ("Antarctica/Troll", "2026-03-29", "2026-03-29T00:00:00Z", 22.0, 9.0),
    ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z", 24.0, 9.0),
    ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", 24.0, 9.0),
  ])
  func `a local day and the quiet night after it are as long as the clocks make them`(
    name: String, text: String, start: String, hours: Double, quiet: Double
  ) throws {
    let zone = try Given.zone(name)
    let day = try CivilDate(text)

    let next = zone.localDay(of: zone.startOfDay(day.advanced(by: 1)))
    let night =
      zone.instant(of: LocalDateTime(date: next, hour: 7))
      - zone.instant(of: LocalDateTime(date: day, hour: 22))

    #expect(zone.startOfDay(day).description == start)
    #expect(zone.startOfDay(next) - zone.startOfDay(day) == .seconds(hours * 3600))
    #expect(night == .seconds(quiet * 3600))
  }

  @Test(arguments: [
    ("America/New_York", "2026-03-07T20:50:00-05:00", "2026-03-07T21:35:00-05:00", 25),
    ("America/New_York", "2026-03-08T01:10:00-05:00", nil, 0),
    ("America/New_York", "2026-11-01T01:30:00-04:00", nil, 0),
    ("Asia/Seoul", "2026-03-08T21:30:00+09:00", nil, 0),
    ("Asia/Seoul", "2026-03-08T06:00:00+09:00", "2026-03-08T07:00:00+09:00", 30),
    ("Africa/Casablanca", "2026-02-15T05:30:00+00:00", nil, 0),
    ("America/Nuuk", "2026-03-28T21:00:00-02:00", "2026-03-28T21:45:00-02:00", 15),
    ("Pacific/Apia", "2011-12-29T20:50:00-10:00", "2011-12-29T21:35:00-10:00", 25),
    ("Australia/Lord_Howe", "2026-10-04T05:50:00+11:00", "2026-10-04T07:00:00+11:00", 20),
  ])
  func `what clocks show at an instant tells a send window from a quiet night`(
    name: String, ended: String, first: String?, minutes: Int
  ) throws {
    let zone = try Given.zone(name)
    let end = try instant(ended)

    let loud = (45..<90).map { end.advanced(bySeconds: $0 * 60) }
      .filter { (7..<22).contains(zone.local(at: $0).hour) }

    #expect(loud.first?.text(in: zone) == first)
    #expect(loud.count == minutes)
  }

  @Test func `a day that a zone left out does not exist, and its neighbours meet`() throws {
    let apia = try Given.zone("Pacific/Apia")
    let missing = try CivilDate("2011-12-30")

    #expect(!apia.dayExists(missing))
    #expect(apia.startOfDay(missing) == apia.startOfDay(missing.advanced(by: 1)))
    #expect(apia.previousDay(before: missing.advanced(by: 1)) == missing.advanced(by: -1))
    #expect(apia.dayExists(missing.advanced(by: 1)))
  }

  @Test(arguments: ["2026-03-08", "2026-03-09", "2026-11-01", "2026-11-02"])
  func `the day before a day is one calendar day back, however long it was`(text: String) throws {
    let day = try CivilDate(text)

    #expect(try Given.zone("America/New_York").previousDay(before: day) == day.advanced(by: -1))
  }

  @Test func `a local day may begin after a skipped midnight`() throws {
    let cairo = try Given.zone("Africa/Cairo")

    let start = cairo.startOfDay(try CivilDate("2026-04-24"))

    #expect(cairo.local(at: start).description == "2026-04-24T01:00:00")
    #expect(cairo.localDay(of: start.advanced(bySeconds: -1)).description == "2026-04-23")
  }

  @Test func `a microsecond before midnight is still the day before`() throws {
    let seoul = try Given.zone("Asia/Seoul")
    let midnight = seoul.startOfDay(try CivilDate("1969-05-05"))

    #expect(seoul.localDay(of: midnight).description == "1969-05-05")
    #expect(seoul.localDay(of: midnight - .microseconds(1)).description == "1969-05-04")
  }
}
