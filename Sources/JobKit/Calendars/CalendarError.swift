internal import Config
public import LocalTime

/// Why the days of a calendar cannot be used.
public enum CalendarError: Error, Sendable, Hashable {
  /// A text is no date and no range of dates.
  case unreadable(String)
  /// There is no such month or, when it has a length, no such day in it.
  case noSuchDay(String, part: String, length: Int?)
  /// A range ends before it begins.
  case backwards(String, first: CivilDate, last: CivilDate)
  /// A calendar has no day.
  case empty(calendar: String)
}

extension CalendarError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let text):
      "cannot read \(text.inQuotes) as days: write \"2026-12-25\", \"12-25\" for every year, or"
        + " \"2026-12-24..2027-01-02\""
    case .noSuchDay(let text, let part, let length?):
      "there is no day '\(part)'\(Self.place(of: part, in: text)): its month ends with \(length)"
    case .noSuchDay(let text, let part, nil):
      "there is no month of '\(part)'\(Self.place(of: part, in: text)): write 01 to 12"
    case .backwards(let text, let first, let last):
      "'\(text)' ends before it begins: write \"\(first)..\(last)\""
    case .empty(let calendar):
      "the calendar \(calendar.inQuotes) has no days: write some, such as days = [\"2026-12-25\","
        + " \"01-01\"], or remove it"
    }
  }

  private static func place(of part: String, in text: String) -> String {
    part == text ? "" : " in '\(text)'"
  }
}
