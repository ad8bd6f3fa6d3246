import LocalTime

/// Prints how long zones and schedules take, from the folder of zone files given or the system's.
func measureLocalTime(zoneinfo: String = "/usr/share/zoneinfo") throws {
  let database = try ZoneDatabase(root: zoneinfo)
  let names = database.names
  let zones = try measured("open the folder and read every zone, for each", names.count) {
    let fresh = try ZoneDatabase(root: zoneinfo)
    return try names.map { try fresh.zone(named: $0) }
  }
  try measured("zone by name, already read", 100_000) {
    for index in 0..<100_000 { _ = try database.zone(named: names[index % names.count]) }
  }
  measureZones(zones)
  let newYork = try database.zone(named: "America/New_York")
  for text in [
    "30 2 * * *", "*/15 * * * *", "0 9 * * MON-FRI", "0 0 1 * *", "0 0 L * *", "0 0 29 2 *",
    "*/5 9-17 * * *",
  ] {
    try measureCron(text, in: newYork)
  }
  measured("parse '*/5 9-17 1,15 * MON-FRI'", 20_000) {
    for _ in 0..<20_000 { _ = try? Cron("*/5 9-17 1,15 * MON-FRI") }
  }
}

private func measureZones(_ zones: [Zone]) {
  let count = 2_000_000
  var sum = 0
  measured("offset(at:), any zone, 2025 and 2026", count) {
    for index in 0..<count {
      let instant = Instant(secondsSince1970: 1_735_689_600 + index &* 7_919 % 63_072_000)
      sum &+= zones[index % zones.count].offset(at: instant)
    }
  }
  measured("localDay(of:)", count) {
    for index in 0..<count {
      let instant = Instant(secondsSince1970: 1_735_689_600 + index &* 7_919 % 63_072_000)
      sum &+= zones[index % zones.count].localDay(of: instant).dayNumber
    }
  }
  measured("startOfDay(_:)", count) {
    for index in 0..<count {
      let day = CivilDate(dayNumber: 20_000 + index % 1000)
      sum &+= zones[index % zones.count].startOfDay(day).secondsSince1970
    }
  }
  // Printed so that none of it is optimised away.
  print("LocalTime: checksum \(sum)")
}

private func measureCron(_ text: String, in zone: Zone) throws {
  let schedule = CronSchedule(try Cron(text), in: zone)
  let count = 300_000
  measured("next(after:) '\(text)'", count) {
    for index in 0..<count {
      let instant = Instant(secondsSince1970: 1_735_689_600 + index &* 7_919 % 63_072_000)
      _ = schedule.next(after: instant)
    }
  }
  measured("previous(before:) '\(text)'", count) {
    for index in 0..<count {
      let instant = Instant(secondsSince1970: 1_735_689_600 + index &* 7_919 % 63_072_000)
      _ = schedule.previous(before: instant)
    }
  }
}

/// Runs `work` three times and prints the best, per operation.
@discardableResult
private func measured<Value>(
  _ subject: String, _ operations: Int, _ work: () throws -> Value
) rethrows -> Value {
  let clock = ContinuousClock()
  var best = Duration.seconds(3600)
  var value = try work()
  for _ in 0..<3 {
    let start = clock.now
    value = try work()
    best = min(best, clock.now - start)
  }
  let nanoseconds = best.components.attoseconds / 1_000_000_000 / Int64(operations)
  print("LocalTime: \(subject): \(nanoseconds) ns")
  return value
}
