import Glibc
import LocalTime
import Testing

/// What the tests are given from outside, and short ways to say instants, zones and schedules.
enum Given {
  /// The zones of PyPI's tzdata, the same that the oracles asked.
  static let zones = Result { try ZoneDatabase(root: variable("WORKER_TEST_ZONEINFO")) }

  /// A variable that the test script sets.
  static func variable(_ name: String) throws -> String {
    guard let value = unsafe getenv(name) else { throw Missing(name: name) }
    return unsafe String(cString: value)
  }

  static func zone(_ name: String) throws -> Zone {
    try zones.get().zone(named: name)
  }

  static func schedule(
    _ text: String, _ zone: String, dst: CronSchedule.ClockChanges = .once
  ) throws -> CronSchedule {
    try CronSchedule(Cron(text), in: Given.zone(zone), dst: dst)
  }

  struct Missing: Error, CustomStringConvertible {
    let name: String

    var description: String { "run script/test: it sets \(name)" }
  }
}

/// An instant written as in 2026-03-08T07:00:00Z or 2026-03-08T02:00:00-05:00.
func instant(_ text: String) throws -> Instant { try Instant(text) }
