internal import Config
public import LocalTime

/// The days on which a job does not run, as its own zone counts days.
public struct Exclusions: Sendable, Hashable {
  /// The calendars on whose days nothing runs.
  public let calendars: [Calendar]
  /// The zone in which days are counted.
  public let zone: Zone

  /// The days of these calendars, in a zone.
  public init(_ calendars: [Calendar] = [], in zone: Zone = .utc) {
    self.calendars = calendars
    self.zone = zone
  }

  /// Why nothing runs at an instant, or nothing: "2026-12-25 is in the calendar 'holidays'".
  public func reason(at instant: Instant) -> String? {
    guard !calendars.isEmpty else { return nil }
    let date = zone.localDay(of: instant)
    return calendars.first { $0.contains(date) }.map { calendar in
      "\(date) is in the calendar \(calendar.name.inQuotes)"
    }
  }

  /// When the excluded days end that an instant lies in, or nothing when it lies in none.
  func end(at instant: Instant) -> Instant? {
    guard !calendars.isEmpty else { return nil }
    let date = zone.localDay(of: instant)
    return calendars.compactMap { $0.lastDay(from: date) }.max().map { last in
      zone.startOfDay(last.advanced(by: 1))
    }
  }
}
