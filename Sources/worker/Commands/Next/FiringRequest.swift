internal import LocalTime

/// A schedule that stands on the command line, and which of its firings are asked for.
struct FiringRequest {
  let schedule: CronSchedule
  let range: FiringRange

  /// The firings, and the next one when there are more than one call may print.
  var firings: (shown: [Firing], next: Firing?) {
    let firings = schedule.firings(
      after: range.start - .microseconds(1), through: range.last, limit: range.count + 1)
    return (
      Array(firings.prefix(range.count)), range.isCut ? firings.dropFirst(range.count).first : nil
    )
  }
}

extension FiringRequest {
  /// What may surprise whoever wrote it.
  var remarks: [String] {
    let name = schedule.zone.name
    guard Zone.isAbbreviation(name) else { return schedule.cron.remarks }
    return schedule.cron.remarks + [
      "zone '\(name)' is an abbreviation, and its clocks may not be those of the place you mean:"
        + " write a place, such as America/New_York"
    ]
  }
}

extension Option {
  static let schedule = value("schedule", "EXPR", "the cron expression, such as '30 2 * * *'")
  static let zone = value("zone", "ZONE", "its time zone, such as Europe/Zurich; else UTC")
  static let dst = value(
    "dst", "OPTION",
    "what a local time does that comes twice or never: once (default), every_occurrence, skip_missing",
    choices: CronSchedule.ClockChanges.allCases.map(\.rawValue))
}

extension FiringRequest {
  init(_ arguments: Arguments, now: Instant) throws {
    guard let text = arguments[.schedule] else {
      throw UsageError(.missingOption(.schedule), command: .next)
    }
    let zone = try Self.zone(named: arguments[.zone] ?? "UTC")
    let cron = try Self.read(text, of: .schedule) { try Cron($0) }
    schedule = CronSchedule(cron, in: zone, dst: try Self.clockChanges(arguments[.dst]))
    range = try FiringRange(arguments, in: zone, now: now, else: .first(10))
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
