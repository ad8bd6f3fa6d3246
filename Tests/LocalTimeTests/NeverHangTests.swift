import LocalTime
import Testing

/// Searches that have hung others: every zone, the rarest dates, days that zones left out.
struct NeverHangTests {
  private static let expressions = [
    "30 2 * * *", "0 9 30 * *", "0 0 * * 5", "0 0 29 2 *", "0 0 L * *", "59 23 31 12 *",
    "*/15 * * * *", "0 * 30 12 *", "0 0 * 2 MON#5", "0 0 1 1 *", "30 0-22 * * 5L",
    "15 0 2 * * *",
  ]

  @Test(arguments: CronSchedule.ClockChanges.allCases)
  func `next and previous meet in every zone at every date line`(
    dst: CronSchedule.ClockChanges
  ) throws {
    let zones = try Given.zones.get()
    let starts = try ["2011-12-28T00:00:00Z", "2026-03-07T00:00:00Z", "2106-10-31T00:00:00Z"]
      .map(instant)
    let crons = try Self.expressions.map { try Cron($0) }
    var tally = Tally()

    for name in zones.names {
      let zone = try zones.zone(named: name)
      for cron in crons {
        let schedule = CronSchedule(cron, in: zone, dst: dst)
        starts.forEach { check(schedule, from: $0, in: &tally) }
      }
    }

    #expect(tally.mismatches == [])
    #expect(tally.checks > 598 * 12 * 3)
  }

  private func check(_ schedule: CronSchedule, from start: Instant, in tally: inout Tally) {
    var last: ScheduleTick?
    var from = start
    for _ in 0..<4 {
      guard let tick = schedule.next(after: from) else {
        // Only an expression of nothing but skipped times may end.
        tally.check(schedule.dst == .skipMissing, "\(schedule.cron) ends in \(schedule.zone.name)")
        return
      }
      let back = last.flatMap { _ in schedule.previous(before: tick.instant) }
      tally.check(
        tick.instant > from && back == last,
        "'\(schedule.cron)' in \(schedule.zone.name): \(tick.instant) after \(from)")
      last = tick
      from = tick.instant
    }
  }

  @Test(arguments: [
    ("0 0 29 2 *", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00Z"),
    ("0 0 * 2 MON#5", "2072-03-01T00:00:00Z", "2112-02-29T00:00:00Z"),
    ("0 0 * 2 5#5", "2026-01-01T00:00:00Z", "2036-02-29T00:00:00Z"),
  ])
  func `the rarest dates are found, across the century that has no leap day`(
    text: String, from: String, expected: String
  ) throws {
    let schedule = CronSchedule(try Cron(text), in: .utc)

    let next = try #require(schedule.next(after: instant(from)))

    #expect(next.instant.description == expected)
    #expect(schedule.previous(before: next.instant.advanced(bySeconds: 1)) == next)
  }
}
