import LocalTime
import Testing

/// Instants as numbers and as text.
struct InstantTests {
  @Test(arguments: [
    ("2026-03-08T07:00:00Z", 1_772_953_200_000_000, "2026-03-08T07:00:00Z"),
    ("2026-03-08T03:00:00-04:00", 1_772_953_200_000_000, "2026-03-08T07:00:00Z"),
    ("2026-03-08T12:30:00+05:30", 1_772_953_200_000_000, "2026-03-08T07:00:00Z"),
    ("2026-03-08T07:00:00-00:00", 1_772_953_200_000_000, "2026-03-08T07:00:00Z"),
    ("2026-03-08T07:00:00.5Z", 1_772_953_200_500_000, "2026-03-08T07:00:00.5Z"),
    ("2026-03-08T07:00:00.000001Z", 1_772_953_200_000_001, "2026-03-08T07:00:00.000001Z"),
    ("2026-03-08T07:00:00.123456789Z", 1_772_953_200_123_456, "2026-03-08T07:00:00.123456Z"),
    ("1969-12-31T23:59:59.999999Z", -1, "1969-12-31T23:59:59.999999Z"),
    ("0000-02-29T00:00:00Z", -62_162_121_600_000_000, "0000-02-29T00:00:00Z"),
    ("9999-12-31T23:59:59-23:59", 253_402_387_139_000_000, "+10000-01-01T23:58:59Z"),
  ])
  func `RFC 3339 is read to the microsecond and written in UTC`(
    text: String, microseconds: Int, written: String
  ) throws {
    let instant = try Instant(text)

    #expect(instant == Instant(microseconds: Int64(microseconds)))
    #expect(instant.description == written)
  }

  @Test(arguments: [
    "", "now", "2026-03-08", "2026-03-08T07:00:00", "2026-03-08T07:00Z", "2026-03-08 07:00:00Z",
    "2026-03-08t07:00:00z", "2026-3-8T07:00:00Z", "2026-03-08T07:00:00+0530",
    "2026-03-08T07:00:00.Z", "2026-03-08T07:00:00,5Z", "2026-03-08T07:00:00.1234567890Z",
    "2026-03-08T07:00:00Z ", "+2026-03-08T07:00:00Z", "２026-03-08T07:00:00Z", "1772953200",
  ])
  func `text in any other shape is refused`(text: String) {
    let error = #expect(throws: TimeTextError.self) { try Instant(text) }

    #expect(
      error?.description == "cannot read '\(text)' as an instant: write it as"
        + " 2026-03-08T07:00:00Z or 2026-03-08T02:00:00-05:00")
  }

  @Test(arguments: [
    (
      "2026-02-30T07:00:00Z",
      "'2026-02-30T07:00:00Z' is no day of its month: write 01 to 28"
    ),
    ("2026-13-01T07:00:00Z", "'2026-13-01T07:00:00Z' has no month 13: write 01 to 12"),
    (
      "2026-03-08T24:00:00Z",
      "'2026-03-08T24:00:00Z' is no time of day: write 00:00:00 to 23:59:59"
    ),
    (
      "2026-03-08T07:60:00Z",
      "'2026-03-08T07:60:00Z' is no time of day: write 00:00:00 to 23:59:59"
    ),
    (
      "2016-12-31T23:59:60Z",
      "'2016-12-31T23:59:60Z' is a leap second, which computers do not"
        + " count: write second 59"
    ),
    (
      "2026-03-08T07:00:00+24:00",
      "'2026-03-08T07:00:00+24:00' has no such offset from UTC:"
        + " write Z, or -23:59 to +23:59"
    ),
  ])
  func `an instant that cannot be says what can`(text: String, message: String) {
    let error = #expect(throws: TimeTextError.self) { try Instant(text) }

    #expect(error?.description == message)
  }

  @Test(arguments: [
    ("America/New_York", "2026-03-08T07:00:00Z", "2026-03-08T03:00:00-04:00"),
    ("Asia/Kathmandu", "2026-03-08T07:00:00Z", "2026-03-08T12:45:00+05:45"),
    ("UTC", "2026-03-08T07:00:00Z", "2026-03-08T07:00:00Z"),
    ("Africa/Monrovia", "1971-01-01T00:00:00Z", "1970-12-31T23:15:30-00:44:30"),
  ])
  func `an instant can be shown as clocks in a zone show it`(
    zone: String, text: String, shown: String
  ) throws {
    #expect(try Instant(text).text(in: Given.zone(zone)) == shown)
  }

  @Test func `arithmetic counts microseconds and stops at the ends of time`() throws {
    let noon = try Instant("2026-01-01T12:00:00Z")
    let (first, last) = (Instant(microseconds: .min), Instant(microseconds: .max))

    #expect(noon + .milliseconds(1500) - noon == .milliseconds(1500))
    #expect((noon - .seconds(43_200)).description == "2026-01-01T00:00:00Z")
    #expect(noon.advanced(bySeconds: -1) < noon)
    #expect(last + .seconds(1) == last)
    #expect(first - .seconds(1) == first)
    #expect(last - .microseconds(1) == Instant(microseconds: .max - 1))
    #expect(first + .microseconds(1) == Instant(microseconds: .min + 1))
    #expect(last - first == .microseconds(Int64.max) - .microseconds(Int64.min))
    #expect(Instant(secondsSince1970: .max) == last)
    #expect(Instant(secondsSince1970: .min) == first)
    #expect(first.description == "-290308-12-21T19:59:05.224192Z")
    #expect(last.description == "+294247-01-10T04:00:54.775807Z")
  }

  @Test(arguments: [(-1, -1, 999_999), (-1_000_000, -1, 0), (1_500_000, 1, 500_000)])
  func `a fraction of a second counts from the second before it`(
    microseconds: Int64, second: Int, fraction: Int
  ) {
    let instant = Instant(microseconds: microseconds)

    #expect(instant.secondsSince1970 == second)
    #expect(instant.microsecondOfSecond == fraction)
  }
}
