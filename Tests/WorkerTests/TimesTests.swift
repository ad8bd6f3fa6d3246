import LocalTime
import TestSupport
import Testing

@testable import WorkerProgram

/// Instants as tables show them, at a moment that is given.
@Suite("Times in tables")
struct TimesTests {
  private static let zones = Result { try ZoneDatabase(root: TestEnvironment.zoneinfo) }

  private func times(in zone: String, at now: String) throws -> Times {
    Times(zone: try Self.zones.get().zone(named: zone), now: try Instant(now))
  }

  @Test(arguments: [
    ("UTC", "2026-11-27T15:45:00Z", "15:45 (in 5 min)"),
    ("UTC", "2026-11-27T15:40:30Z", "15:40:30 (in 30 s)"),
    ("UTC", "2026-11-27T15:40:00Z", "15:40 (0 s ago)"),
    ("UTC", "2026-11-27T13:30:00Z", "13:30 (2 h 10 min ago)"),
    ("UTC", "2026-11-26T15:40:00Z", "2026-11-26 15:40 (1 d ago)"),
    ("Asia/Seoul", "2026-11-27T15:45:00Z", "00:45 (in 5 min)"),
    ("Asia/Seoul", "2026-11-27T14:59:00Z", "2026-11-27 23:59 (41 min ago)"),
    ("Asia/Seoul", "2026-11-27T19:00:00Z", "04:00 (in 3 h 20 min)"),
  ])
  func `a time is the zone's, with the date where it is not today, and how far away it is`(
    zone: String, instant: String, text: String
  ) throws {
    let times = try times(in: zone, at: "2026-11-27T15:40:00Z")

    #expect(times.text(try Instant(instant)) == text)
  }

  @Test(arguments: [
    ("UTC", "UTC"), ("Asia/Seoul", "+09:00"), ("America/New_York", "-05:00"),
    ("Asia/Kathmandu", "+05:45"), ("Europe/London", "+00:00"),
  ])
  func `the heading says the offset once`(zone: String, offset: String) throws {
    let times = try times(in: zone, at: "2026-11-27T15:40:00Z")
    var table = Table(times.column("next"))
    table.add("15:45")

    #expect(times.offset == offset)
    #expect(table.text(in: Style(isColoured: false)) == "next (\(offset))\n15:45")
  }

  @Test func `where clocks have changed in between a time says its own offset`() throws {
    let times = try times(in: "America/New_York", at: "2026-11-01T12:00:00Z")

    #expect(times.clock(try Instant("2026-11-01T05:30:00Z")) == "01:30-04:00")
    #expect(times.clock(try Instant("2026-11-01T06:30:00Z")) == "01:30")
  }

  @Test(arguments: [
    ("2026-11-01T04:30:00Z", "00:30 (-04:00)"), ("2026-11-01T16:30:00Z", "11:30 (-05:00)"),
    ("2026-12-01T16:30:00Z", "2026-12-01 11:30 (-05:00)"),
  ])
  func `a time that stands alone says the offset of its own`(instant: String, text: String) throws {
    let times = try times(in: "America/New_York", at: "2026-11-01T12:00:00Z")

    #expect(times.alone(try Instant(instant)) == text)
  }

  @Test func `what has not happened is nothing`() throws {
    #expect(try times(in: "UTC", at: "2026-11-27T15:40:00Z").text(nil) == "")
  }
}
