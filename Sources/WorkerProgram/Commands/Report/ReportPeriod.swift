internal import JobKit
internal import LocalTime

/// The time that a report is about, and the time before that it is compared with.
struct ReportPeriod: Equatable {
  let range: Range<Instant>

  /// What it is called: "day", "week", or "period".
  let name: String

  /// As long a time, right before.
  var before: Range<Instant> {
    let length = range.upperBound - range.lowerBound
    return (range.lowerBound - length)..<range.lowerBound
  }

  /// The period that the options name; else the week until now.
  init(_ arguments: Arguments, at now: Instant, in zone: Zone) throws(UsageError) {
    let from = try arguments.instant(.reportFrom, in: zone, at: now, of: .report)
    let to = try arguments.instant(.reportTo, in: zone, at: now, of: .report)
    let named = [Option.lastDay, .lastWeek, .reportFrom].filter {
      arguments.has($0) || arguments[$0] != nil
    }
    if named.count > 1, let second = named.last {
      throw UsageError(.secondPeriod(second), command: .report)
    }
    if let from {
      let end = min(to ?? now, now)
      try arguments.check(end, of: .reportTo, isAfter: from, command: .report)
      guard end - from <= Self.longest else {
        throw UsageError(
          .badValue(
            arguments[.reportFrom] ?? "", of: .reportFrom,
            expected: "a report is of 92 days at most"),
          command: .report)
      }
      (range, name) = (from..<end, "period")
    } else if to != nil {
      throw UsageError(.missingOption(.reportFrom), command: .report)
    } else if arguments.has(.lastDay) {
      (range, name) = ((now - .seconds(86_400))..<now, "day")
    } else {
      (range, name) = ((now - .seconds(7 * 86_400))..<now, "week")
    }
  }

  private static let longest = Duration.seconds(92 * 86_400)
}

extension Option {
  static let lastDay = flag("day", "the last 24 hours")
  static let lastWeek = flag("week", "the last seven days, as without any of these")
  static let reportFrom = value("from", "WHEN", "begin here: \(WrittenInstant.forms)")
  static let reportTo = value("to", "WHEN", "end before this; else now")
}
