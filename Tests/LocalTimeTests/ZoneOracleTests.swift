import LocalTime
import Testing

/// Every zone against Python's zoneinfo: every change of its clocks, and instants in between.
struct ZoneOracleTests {
  @Test func `zones say what Python says, in a million places`() throws {
    let oracle = try ZoneOracle(readingFrom: Given.variable("WORKER_TEST_ORACLES"))
    let zones = try Given.zones.get()
    var tally = Tally()

    for group in oracle.groups {
      for name in group.names {
        check(try zones.zone(named: name), against: group, in: &tally)
      }
    }

    print("zones: \(tally.checks) checks of \(zones.names.count) zones")
    #expect(tally.mismatches == [])
    #expect(tally.checks >= 1_000_000)
    #expect(oracle.groups.flatMap(\.names).sorted() == zones.names)
  }

  private func check(_ zone: Zone, against group: ZoneOracle.Group, in tally: inout Tally) {
    for row in group.offsets {
      let offset = zone.offset(at: Instant(secondsSince1970: row[0]))
      tally.check(offset == row[1], "\(zone.name): offset at \(row[0]) is \(offset)")
    }
    for row in group.locals {
      let day = row[0] >= 0 ? row[0] / 86_400 : (row[0] - 86_399) / 86_400
      let local = LocalDateTime(
        date: CivilDate(dayNumber: day), secondOfDay: row[0] - day * 86_400)
      let instant = zone.instant(of: local).secondsSince1970
      tally.check(instant == row[1], "\(zone.name): \(local) is \(instant), not \(row[1])")
    }
    for row in group.days { check(zone, onDay: row, in: &tally) }
  }

  private func check(_ zone: Zone, onDay row: [Int], in tally: inout Tally) {
    let day = CivilDate(dayNumber: row[0])
    let start = zone.startOfDay(day)
    tally.check(start.secondsSince1970 == row[1], "\(zone.name): \(day) starts at \(start)")
    let before = zone.previousDay(before: day)
    tally.check(before.dayNumber == row[2], "\(zone.name): before \(day) comes \(before)")
    let exists = zone.dayExists(day)
    tally.check(exists == (row[3] == 1), "\(zone.name): that \(day) exists is \(exists)")
  }
}
