import LocalTime
import Testing

/// Cron against a library of others and against trying every step of time.
struct CronOracleTests {
  @Test func `schedules fire when cronsim fires, in twenty thousand cases`() throws {
    let cases = try CronCase.all(in: "cronsim.tsv", zones: Given.zones.get())
    var tally = Tally()

    for one in cases {
      let found = one.schedule.ticks(
        after: Instant(secondsSince1970: one.start), through: Instant(secondsSince1970: one.end),
        limit: one.ticks.count + 1
      ).map(\.instant.secondsSince1970)
      tally.check(found == one.ticks, "\(one.description): \(found), cronsim \(one.ticks)")
    }

    print("cron: \(tally.checks) cases of cronsim")
    #expect(tally.mismatches == [])
    #expect(tally.checks >= 20_000)
  }

  @Test func `schedules fire when a scan of every minute or second says so`() throws {
    let cases = try CronCase.all(in: "scan.tsv", zones: Given.zones.get())
    var tallies = [String: Tally]()

    for one in cases {
      let name = one.schedule.cron.coversAllHours ? "elapsed" : one.schedule.dst.rawValue
      check(one, in: &tallies[name, default: Tally()])
    }

    print("cron: scanned \(tallies.mapValues(\.checks).sorted { $0.key < $1.key })")
    #expect(tallies.values.flatMap(\.mismatches) == [])
    #expect(tallies.count == 4)
    #expect(tallies.values.allSatisfy { $0.checks >= 2000 })
  }

  /// The chain of next, the chain of previous and the ticks of the range must all be equal.
  private func check(_ one: CronCase, in tally: inout Tally) {
    let (start, end) = (
      Instant(secondsSince1970: one.start), Instant(secondsSince1970: one.end)
    )
    let inRange = one.schedule.ticks(in: start..<end, limit: one.ticks.count + 1)
    var back = [ScheduleTick]()
    var before = end
    while back.count <= one.ticks.count, let tick = one.schedule.previous(before: before),
      tick.instant >= start
    {
      back.append(tick)
      before = tick.instant
    }
    let found = inRange.map(\.instant.secondsSince1970)
    let agrees = found == one.ticks && back.reversed() == inRange
    tally.check(
      agrees, "\(one.description): \(found), back \(back.map(\.instant)), scan \(one.ticks)")
  }
}
