import JobKit
import LocalTime
import Testing

@Suite struct ScheduleTests {
  private let midnight = Instant(secondsSince1970: 1_772_928_000)  // 2026-03-08T00:00:00Z

  @Test(arguments: [
    (-1, 0), (0, 900), (1, 900), (899, 900), (900, 1_800),
  ])
  func `an interval fires at its multiples and not at the instant it is asked after`(
    after: Int, next: Int
  ) throws {
    let interval = try #require(Interval(.seconds(900)))

    #expect(
      interval.next(after: midnight.advanced(bySeconds: after))
        == midnight.advanced(bySeconds: next))
  }

  @Test(arguments: [(0, -900), (1, 0), (900, 0), (901, 900), (-900, -1_800)])
  func `the tick before is the mirror of the next`(before: Int, previous: Int) throws {
    let interval = try #require(Interval(.seconds(900)))

    #expect(
      interval.previous(before: midnight.advanced(bySeconds: before))
        == midnight.advanced(bySeconds: previous))
  }

  @Test(arguments: [-1_000_000_007, -7, -1, 0, 1, 7, 1_772_928_001])
  func `fractions of a second and the years before 1970 make no difference`(second: Int) throws {
    let interval = try #require(Interval(.seconds(7)))
    for microsecond in [-1, 0, 1] {
      let instant = Instant(secondsSince1970: second) + .microseconds(microsecond)

      let next = try #require(interval.next(after: instant))
      let previous = try #require(interval.previous(before: instant))

      #expect(next > instant && previous < instant)
      #expect(next.secondsSince1970.isMultiple(of: 7))
      #expect(interval.previous(before: next).map { $0 <= instant } == true)
      #expect(next - previous <= .seconds(14))
      #expect(interval.next(after: previous).map { $0 >= instant } == true)
    }
  }

  @Test func `there is no tick where instants end`() throws {
    let interval = try #require(Interval(.seconds(366 * 86_400)))

    #expect(interval.next(after: Instant(microseconds: .max)) == nil)
    #expect(interval.previous(before: Instant(microseconds: .min)) == nil)
  }

  @Test(arguments: [Duration.zero, .milliseconds(1_500), .seconds(-5), .seconds(366 * 86_400 + 1)])
  func `an interval is whole seconds up to a year`(length: Duration) {
    #expect(Interval(length) == nil)
  }

  @Test func `ticks are those after the start up to and including the end`() throws {
    let schedule = Schedule(every: try #require(Interval(.seconds(60))), shownIn: .utc)
    let end = midnight.advanced(bySeconds: 180)

    #expect(
      schedule.ticks(after: midnight, through: end, limit: 10)
        == [60, 120, 180].map(midnight.advanced(bySeconds:)))
    #expect(schedule.ticks(after: midnight, through: end, limit: 2).count == 2)
    #expect(schedule.ticks(after: end, through: midnight, limit: 2) == [])
  }

  @Test func `a cron schedule fires as its zone's clocks show`() throws {
    let newYork = try SampleSettings.zones.get().zone(named: "America/New_York")
    let schedule = Schedule(CronSchedule(try Cron("30 2 * * *"), in: newYork))
    let afterGap = try Instant("2026-03-08T07:00:00Z")
    let dayBefore = try Instant("2026-03-07T07:30:00Z")

    #expect(schedule.next(after: midnight) == afterGap)
    #expect(schedule.previous(before: afterGap) == dayBefore)
    #expect(
      schedule.ticks(after: midnight.advanced(bySeconds: -86_400), through: afterGap, limit: 9)
        == [dayBefore, afterGap])
    #expect(schedule.note(on: dayBefore) == nil)
    #expect(
      schedule.note(on: afterGap)
        == "02:30 does not exist on 2026-03-08 in America/New_York: runs at 03:00, the first"
        + " moment after the gap")
    #expect(schedule.note(on: midnight) == nil)
  }
}
