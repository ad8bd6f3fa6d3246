import JobKit
import Jobs
import LocalTime
import TestSupport
import Testing

@testable import Jobs

@Suite("Quiet hours")
struct QuietHoursTests {
  private let zones: ZoneDatabase

  init() throws {
    zones = try ZoneDatabase(root: TestEnvironment.zoneinfo)
  }

  @Test(arguments: [
    (22 * 60, 7 * 60, [0: true, 419: true, 420: false, 1319: false, 1320: true, 1439: true]),
    (600, 840, [599: false, 600: true, 839: true, 840: false]),
    (0, 0, [0: false, 720: false, 1439: false]),
    (1320, 1320, [1320: false, 0: false]),
    (0, 1439, [0: true, 1438: true, 1439: false]),
  ])
  func `a minute is in them or not`(from: Int, to: Int, minutes: [Int: Bool]) {
    for (minute, isIn) in minutes {
      #expect(QuietHours(from: from, to: to).contains(minute) == isIn)
    }
  }

  @Test(arguments: [
    ("America/New_York", "2026-03-08T10:59:59Z", true),
    ("America/New_York", "2026-03-08T11:00:00Z", false),
    ("Australia/Lord_Howe", "2026-10-03T20:00:00Z", false),
    ("Australia/Lord_Howe", "2026-10-03T19:59:59Z", true),
    ("Pacific/Apia", "2011-12-30T08:00:00Z", true),
    ("Asia/Seoul", "2026-03-01T12:59:59Z", false),
    ("Asia/Seoul", "2026-03-01T13:00:00Z", true),
  ])
  func `an instant is in them by what clocks in its zone show`(
    zone: String, text: String, isIn: Bool
  ) throws {
    let zone = try zones.zone(named: zone)

    #expect(try QuietHours.usual.contain(Instant(text), in: zone) == isIn)
  }

  @Test(arguments: [
    (QuietHours.usual, "2026-03-01T11:00:00Z", "2026-03-01T13:00:00Z"),
    (QuietHours.usual, "2026-02-28T22:00:00Z", "2026-03-01T13:00:00Z"),
    (QuietHours(from: 600, to: 840), "2026-03-01T11:00:00Z", "2026-03-02T01:00:00Z"),
  ])
  func `the next beginning is that of today or of tomorrow`(
    hours: QuietHours, from: String, to: String
  ) throws {
    let seoul = try zones.zone(named: "Asia/Seoul")

    #expect(try hours.nextBeginning(from: Instant(from), in: seoul) == Instant(to))
    #expect(try QuietHours(from: 5, to: 5).nextBeginning(from: Instant(from), in: seoul) == nil)
  }

  @Test(arguments: [
    // 01:30 comes twice on 1 November: an hour and more before, between, and after both.
    (90, "2026-11-01T04:10:00Z", "2026-11-01T05:30:00Z"),
    (90, "2026-11-01T05:30:00Z", "2026-11-01T05:30:00Z"),
    (90, "2026-11-01T06:10:00Z", "2026-11-01T06:30:00Z"),
    (90, "2026-11-01T12:00:00Z", "2026-11-02T06:30:00Z"),
    // 02:30 does not come on 8 March: it is 03:00 at once.
    (150, "2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z"),
  ])
  func `where clocks change they begin each time that it is their minute, or after the gap`(
    minute: Int, from: String, to: String
  ) throws {
    let newYork = try zones.zone(named: "America/New_York")
    let hours = QuietHours(from: minute, to: 7 * 60)

    #expect(try hours.nextBeginning(from: Instant(from), in: newYork) == Instant(to))
  }

  @Test(arguments: [
    // At 06:00Z it is 01:00 again, which is quiet until 01:30.
    (QuietHours(from: 1320, to: 90), "2026-11-01T05:45:00Z", "2026-11-01T06:00:00Z"),
    (QuietHours(from: 1320, to: 90), "2026-11-01T06:30:00Z", "2026-11-02T03:00:00Z"),
    // From 02:00 on the clock shows 01:00 to 02:00 once more, and no quiet minute.
    (QuietHours(from: 1320, to: 60), "2026-11-01T05:45:00Z", "2026-11-02T03:00:00Z"),
    // All of them lie in the hour that is skipped.
    (QuietHours(from: 130, to: 170), "2026-03-08T06:00:00Z", "2026-03-09T06:10:00Z"),
  ])
  func `where clocks are changed they begin when it is a quiet minute again, or on another day`(
    hours: QuietHours, from: String, to: String
  ) throws {
    let newYork = try zones.zone(named: "America/New_York")

    #expect(try hours.nextBeginning(from: Instant(from), in: newYork) == Instant(to))
  }

  @Test(arguments: [
    // From 00:01 the clock went back to 23:01, so that 23:30 came again.
    ("America/St_Johns", 23 * 60 + 30, "2006-10-29T02:30:30Z", "2006-10-29T03:00:00Z"),
    ("Pacific/Apia", 600, "2011-12-30T02:00:00Z", "2011-12-30T20:00:00Z"),
  ])
  func `they begin when their minute is shown next, be it yesterday again or a day later`(
    zone: String, minute: Int, from: String, to: String
  ) throws {
    let zone = try zones.zone(named: zone)
    let hours = QuietHours(from: minute, to: minute + 15)

    #expect(try hours.nextBeginning(from: Instant(from), in: zone) == Instant(to))
  }
}
