internal import LocalTime

/// From when to when `worker next` looks, and how many ticks it shows at most.
struct TickRange {
  let start: Instant
  let end: Instant?
  let count: Int

  /// Whether there may be more than are shown, though all are asked for.
  let isCut: Bool

  /// What is meant when nothing is said about the end.
  enum Fallback {
    case first(Int)
    case days(Int)
  }

  /// The last instant that is looked at.
  var last: Instant { end.map { $0 - .microseconds(1) } ?? Instant(microseconds: .max) }

  /// As many ticks as one call may print: a day of seconds fits, and a slip does not fill the disk.
  static let most = 100_000
}

extension Option {
  static let from = value(
    "from", "WHEN", "begin here: \(WrittenInstant.forms); else now")
  static let to = value("to", "WHEN", "end before this instant, local date or time")
  static let days = value(
    "days", "N", "instead of --to: so many days; else 7 of one job, or 1 of all")
  static let count = value(
    "count", "N", "print the first N of them; else all, or 10 of --schedule; 100000 at most",
    short: "n")
}

extension TickRange {
  init(
    _ arguments: Arguments, in zone: Zone, now: Instant, else fallback: Fallback
  ) throws(UsageError) {
    start = try arguments.instant(.from, in: zone, at: now, of: .next) ?? now
    let count = try arguments[.count].map { text throws(UsageError) in
      try Self.number(text, of: .count, atMost: Self.most)
    }
    var end = try Self.end(arguments, in: zone, from: start, at: now)
    var usual = Self.most
    if end == nil, count == nil {
      switch fallback {
      case .first(let number): usual = number
      case .days(let number): end = start.advanced(byDays: number, in: zone)
      }
    }
    self.end = end
    self.count = count ?? usual
    isCut = end != nil && self.count == Self.most
  }

  private static func end(
    _ arguments: Arguments, in zone: Zone, from start: Instant, at now: Instant
  ) throws(UsageError) -> Instant? {
    if let text = arguments[.days] {
      guard arguments[.to] == nil else {
        throw UsageError(
          .badValue(text, of: .days, expected: "write --to or --days, not both"), command: .next)
      }
      return start.advanced(byDays: try number(text, of: .days, atMost: 3660), in: zone)
    }
    let end = try arguments.instant(.to, in: zone, at: now, of: .next)
    if let end { try arguments.check(end, of: .to, isAfter: start, command: .next) }
    return end
  }

  private static func number(
    _ text: String, of option: Option, atMost most: Int
  ) throws(UsageError) -> Int {
    guard let number = Int(text), (1...most).contains(number) else {
      throw UsageError(
        .badValue(text, of: option, expected: "write a whole number from 1 to \(most)"),
        command: .next)
    }
    return number
  }
}

extension Instant {
  /// The instant at which clocks show the same so many days later.
  fileprivate func advanced(byDays days: Int, in zone: Zone) -> Instant {
    let local = zone.local(at: self)
    return zone.instant(
      of: LocalDateTime(date: local.date.advanced(by: days), secondOfDay: local.secondOfDay))
  }
}
