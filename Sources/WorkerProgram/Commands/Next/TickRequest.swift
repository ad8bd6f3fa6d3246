internal import JobKit
internal import LocalTime

/// A schedule that stands on the command line, and which of its ticks are asked for.
struct TickRequest {
  let schedule: Schedule
  let range: TickRange

  /// The ticks, and the next one when there are more than one call may print.
  var ticks: (shown: [Instant], next: Instant?) {
    let ticks = schedule.ticks(
      after: range.start - .microseconds(1), through: range.last, limit: range.count + 1)
    return (
      Array(ticks.prefix(range.count)), range.isCut ? ticks.dropFirst(range.count).first : nil
    )
  }
}

extension TickRequest {
  /// What may surprise whoever wrote it.
  var remarks: [String] {
    let name = schedule.zone.name
    var remarks: [String] = []
    if case .cron(let cron) = schedule.rhythm { remarks = cron.cron.remarks }
    guard Zone.isAbbreviation(name) else { return remarks }
    return remarks + [
      "zone '\(name)' is an abbreviation, and its clocks may not be those of the place you mean:"
        + " write a place, such as America/New_York"
    ]
  }
}

extension Option {
  static let schedule = value(
    "schedule", "EXPR", "the cron expression, such as '30 2 * * *', or 'every 15m'")
  static let zone = value("zone", "ZONE", "its time zone, such as Europe/Zurich; else UTC")
  static let dst = value(
    "dst", "OPTION",
    "what a local time does that comes twice or never: once (default), every_occurrence, skip_missing",
    choices: CronSchedule.ClockChanges.allCases.map(\.rawValue))
}

extension TickRequest {
  init(_ arguments: Arguments, now: Instant) throws {
    guard let text = arguments[.schedule] else {
      throw UsageError(.missingOption(.schedule), command: .next)
    }
    let zone = try Self.zone(named: arguments[.zone] ?? "UTC")
    schedule = try Self.schedule(text, in: zone, arguments)
    range = try TickRange(arguments, in: zone, now: now, else: .first(10))
  }

  private static func schedule(
    _ text: String, in zone: Zone, _ arguments: Arguments
  ) throws -> Schedule {
    let dst = try clockChanges(arguments[.dst])
    let words = text.split(separator: " ")
    guard words.first == "every" else {
      return Schedule(
        CronSchedule(try read(text, of: .schedule) { try Cron($0) }, in: zone, dst: dst))
    }
    guard words.count == 2, let length = Duration(written: String(words[1])),
      let interval = Interval(length)
    else {
      let expected = "write whole seconds behind 'every', from 1s to 366d, such as 'every 15m'"
      throw UsageError(.badValue(text, of: .schedule, expected: expected), command: .next)
    }
    if let dst = arguments[.dst] {
      throw UsageError(
        .badValue(dst, of: .dst, expected: "'\(text)' follows no clock on a wall: leave --dst out"),
        command: .next)
    }
    return Schedule(every: interval, shownIn: zone)
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
