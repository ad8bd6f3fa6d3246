internal import LocalTime

/// Which firings `worker next` is asked for.
struct FiringRequest {
  let schedule: CronSchedule
  let start: Instant
  let end: Instant?
  let count: Int

  var firings: [Firing] { firings(from: start, limit: count) }

  /// The firing of the range that follows `firings`, when they are as many as one call may print.
  func firing(after firings: [Firing]) -> Firing? {
    guard end != nil, firings.count == Self.most, let last = firings.last else { return nil }
    return self.firings(from: last.instant, limit: 2).dropFirst().first
  }

  private func firings(from start: Instant, limit: Int) -> [Firing] {
    let everything = Instant(microseconds: .max)
    return schedule.firings(in: start..<max(start, end ?? everything), limit: limit)
  }

  /// As many firings as one call may print: a day of seconds fits, and a slip does not fill the disk.
  private static let most = 100_000
}

extension Option {
  static let schedule = value("schedule", "EXPR", "the cron expression, such as '30 2 * * *'")
  static let zone = value("zone", "ZONE", "its time zone, such as Europe/Zurich; else UTC")
  static let dst = value(
    "dst", "OPTION",
    "what a local time does that comes twice or never: once (default), every_occurrence, skip_missing"
  )
  static let from = value(
    "from", "INSTANT", "begin here: 2026-03-08T07:00:00Z, or a local date, 2026-03-08; else now")
  static let to = value("to", "INSTANT", "end before this instant or local date")
  static let count = value(
    "count", "N", "print the first N of them; else 10, or with --to all, 100000 at most")
}

extension FiringRequest {
  init(_ arguments: Arguments, now: Instant) throws {
    guard let text = arguments[.schedule] else {
      throw UsageError(.missingOption(.schedule), command: .next)
    }
    let zone = try Self.zone(named: arguments[.zone] ?? "UTC")
    let cron = try Self.read(text, of: .schedule) { try Cron($0) }
    schedule = CronSchedule(cron, in: zone, dst: try Self.clockChanges(arguments[.dst]))
    start = try arguments.instant(.from, in: zone, of: .next) ?? now
    end = try arguments.instant(.to, in: zone, of: .next)
    count = try Self.count(arguments[.count]) ?? (end == nil ? 10 : Self.most)
    if let end { try arguments.check(end, of: .to, isAfter: start, command: .next) }
  }

  private static func zone(named name: String) throws -> Zone {
    let zones = try ZoneDatabase(
      root: ZoneDatabase.root(configured: nil, environment: Environment.ofZones))
    return try read(name, of: .zone) { try zones.zone(named: $0) }
  }

  private static func clockChanges(
    _ text: String?
  ) throws(UsageError) -> CronSchedule.ClockChanges {
    guard let text else { return .once }
    guard let clockChanges = CronSchedule.ClockChanges(rawValue: text) else {
      throw UsageError(
        .badValue(text, of: .dst, expected: "write once, every_occurrence or skip_missing"),
        command: .next)
    }
    return clockChanges
  }

  private static func count(_ text: String?) throws(UsageError) -> Int? {
    guard let text else { return nil }
    guard let count = Int(text), (1...most).contains(count) else {
      throw UsageError(
        .badValue(text, of: .count, expected: "write a whole number from 1 to \(most)"),
        command: .next)
    }
    return count
  }

  private static func read<Value>(
    _ text: String, of option: Option, by reading: (String) throws -> Value
  ) throws(UsageError) -> Value {
    do {
      return try reading(text)
    } catch {
      throw UsageError(.badValue(text, of: option, expected: "\(error)"), command: .next)
    }
  }
}
