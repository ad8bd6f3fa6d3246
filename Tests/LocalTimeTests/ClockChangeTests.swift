import LocalTime
import Testing

/// What becomes of schedules on the nights when clocks change.
struct ClockChangeTests {
  /// The ticks from the beginning of one local day to the end of another.
  private func ticks(
    _ text: String, _ zone: String, _ first: String, through last: String,
    dst: CronSchedule.ClockChanges = .once
  ) throws -> [ScheduleTick] {
    let schedule = try Given.schedule(text, zone, dst: dst)
    let start = schedule.zone.startOfDay(try CivilDate(first))
    let end = schedule.zone.startOfDay(try CivilDate(last).advanced(by: 1))
    return schedule.ticks(in: start..<end, limit: 1000)
  }

  private func texts(_ ticks: [ScheduleTick]) -> [String] {
    ticks.map { $0.instant.text(in: $0.zone) }
  }

  @Test(arguments: [
    ("America/New_York", "2026-03-08", "30 2 * * *", ["03:00:00-04:00"]),
    (
      "America/New_York", "2026-03-08", "15,45 1-3 * * *",
      ["01:15:00-05:00", "01:45:00-05:00", "03:00:00-04:00", "03:15:00-04:00", "03:45:00-04:00"]
    ),
    ("America/New_York", "2026-03-08", "*/15 2 * * *", ["03:00:00-04:00"]),
    (
      "America/New_York", "2026-03-08", "0 0-6/2 * * *",
      ["00:00:00-05:00", "03:00:00-04:00", "04:00:00-04:00", "06:00:00-04:00"]
    ),
    ("America/New_York", "2026-03-08", "0 2,3 * * *", ["03:00:00-04:00"]),
    ("Australia/Lord_Howe", "2026-10-04", "15 2 * * *", ["02:30:00+11:00"]),
    ("Africa/Casablanca", "2026-03-22", "30 2 * * *", ["03:00:00+01:00"]),
    ("America/Nuuk", "2026-03-28", "30 23 * * 6", []),
    ("America/Nuuk", "2026-03-29", "30 23 * * 6", ["00:00:00-01:00"]),
    ("America/Nuuk", "2026-03-29", "0 0 * * *", ["00:00:00-01:00"]),
    ("Africa/Cairo", "2026-04-24", "0 0 * * *", ["01:00:00+03:00"]),
    ("Africa/Cairo", "2026-04-24", "0 0 * * 5", ["01:00:00+03:00"]),
    ("Antarctica/Troll", "2026-03-29", "30 1 * * *", ["03:00:00+02:00"]),
    ("Asia/Seoul", "2026-03-08", "30 2 * * *", ["02:30:00+09:00"]),
  ])
  func `a time that the clocks skip fires once, at the first instant after the gap`(
    zone: String, day: String, text: String, expected: [String]
  ) throws {
    let ticks = try ticks(text, zone, day, through: day)

    #expect(texts(ticks) == expected.map { "\(day)T\($0)" })
  }

  @Test(arguments: [
    ("America/New_York", "2026-11-01", "30 1 * * *", ["01:30:00-04:00"]),
    (
      "America/New_York", "2026-11-01", "*/15 1 * * *",
      ["01:00:00-04:00", "01:15:00-04:00", "01:30:00-04:00", "01:45:00-04:00"]
    ),
    ("Australia/Lord_Howe", "2026-04-05", "45 1 * * *", ["01:45:00+11:00"]),
    ("Australia/Lord_Howe", "2026-04-05", "0 2 * * *", ["02:00:00+10:30"]),
    ("Africa/Casablanca", "2026-02-15", "30 2 * * *", ["02:30:00+01:00"]),
    ("Africa/Casablanca", "2026-09-20", "30 1 * * *", ["01:30:00+01:00"]),
    ("America/Nuuk", "2026-10-24", "30 23 * * *", ["23:30:00-01:00"]),
    ("Africa/Cairo", "2026-10-29", "30 23 * * *", ["23:30:00+03:00"]),
    ("America/Havana", "2025-11-02", "0 0 * * *", ["00:00:00-04:00"]),
  ])
  func `a time that comes twice fires once, the first time`(
    zone: String, day: String, text: String, expected: [String]
  ) throws {
    let ticks = try ticks(text, zone, day, through: day)

    #expect(texts(ticks) == expected.map { "\(day)T\($0)" })
  }

  @Test func `a schedule of every second hour loses none of its hours to a gap`() throws {
    let ticks = try ticks(
      "0 */2 * * *", "America/New_York", "2026-03-08", through: "2026-03-08")

    #expect(ticks.map(\.local.hour) == [0, 3, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22])
  }

  @Test(arguments: ["2026-03-08", "2026-11-01"], ["*/30 * * * *", "*/30 0-23 * * *"])
  func `a schedule of all hours never pauses and never doubles`(day: String, text: String) throws {
    let ticks = try ticks(text, "America/New_York", day, through: day)

    let gaps = zip(ticks, ticks.dropFirst()).map { $1.instant - $0.instant }
    #expect(gaps.allSatisfy { $0 == .seconds(1800) })
    #expect(ticks.count == (day == "2026-03-08" ? 46 : 50))
  }

  @Test func `a rhythm on one weekday counts the hour that its midnight repeats`() throws {
    let ticks = try ticks("30 * * * 4", "Africa/Cairo", "2026-10-29", through: "2026-10-30")

    #expect(ticks.count == 25)
    #expect(
      texts(ticks.suffix(2)).map { $0.dropFirst(11) } == ["23:30:00+03:00", "23:30:00+02:00"])
  }

  @Test func `what fired in an hour does not fire when the hour is repeated`() throws {
    let schedule = try Given.schedule("30 1 * * *", "America/New_York")
    let secondPass = try instant("2026-11-01T01:10:00-05:00")

    #expect(
      schedule.next(after: secondPass)?.instant == (try instant("2026-11-02T01:30:00-05:00")))
    #expect(
      schedule.previous(before: secondPass)?.instant == (try instant("2026-11-01T01:30:00-04:00")))
  }

  @Test func `a daily job fires at once after a day that a zone left out`() throws {
    let ticks = try ticks("0 9 * * *", "Pacific/Apia", "2011-12-29", through: "2011-12-31")

    #expect(
      texts(ticks) == [
        "2011-12-29T09:00:00-10:00", "2011-12-31T00:00:00+14:00", "2011-12-31T09:00:00+14:00",
      ])
  }

  @Test func `a monthly job whose day a zone left out fires at once after it`() throws {
    let ticks = try ticks("0 9 30 * *", "Pacific/Apia", "2011-12-01", through: "2011-12-31")

    #expect(texts(ticks) == ["2011-12-31T00:00:00+14:00"])
  }

  @Test func `every occurrence fires both times, and still once after a gap`() throws {
    let zone = "America/New_York"

    let autumn = try ticks(
      "30 1 * * *", zone, "2026-11-01", through: "2026-11-01", dst: .everyOccurrence)
    let spring = try ticks(
      "30 2 * * *", zone, "2026-03-08", through: "2026-03-08", dst: .everyOccurrence)

    #expect(texts(autumn) == ["2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-05:00"])
    #expect(texts(spring) == ["2026-03-08T03:00:00-04:00"])
  }

  @Test func `skipped times do not fire when asked so, and the rest fires once`() throws {
    let zone = "America/New_York"

    let spring = try ticks(
      "30 2,3 * * *", zone, "2026-03-08", through: "2026-03-08", dst: .skipMissing)
    let autumn = try ticks(
      "30 1 * * *", zone, "2026-11-01", through: "2026-11-01", dst: .skipMissing)

    #expect(texts(spring) == ["2026-03-08T03:30:00-04:00"])
    #expect(texts(autumn) == ["2026-11-01T01:30:00-04:00"])
  }

  @Test func `a schedule of skipped times alone never fires when asked to skip them`() throws {
    let schedule = try Given.schedule("30 2 * 3 SUN#2", "America/New_York", dst: .skipMissing)

    let now = try instant("2026-01-01T00:00:00Z")

    #expect(schedule.next(after: now) == nil)
    #expect(schedule.previous(before: try instant("2300-01-01T00:00:00Z")) == nil)
  }
}
