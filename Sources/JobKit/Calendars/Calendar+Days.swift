public import LocalTime

extension Calendar {
  /// One day, the same day of every year, or the days from one to another.
  public enum Days: Sendable, Hashable {
    /// One day.
    case date(CivilDate)
    /// The same day of every year.
    case everyYear(month: Int, day: Int)
    /// Each day from the first to the last.
    case range(ClosedRange<CivilDate>)
  }
}

extension Calendar.Days {
  func contains(_ date: CivilDate) -> Bool {
    switch self {
    case .date(let day): day == date
    case .everyYear(let month, let day): date.month == month && date.day == day
    case .range(let range): range.contains(date)
    }
  }

  /// The last day of those that `date` is one of.
  func lastDay(from date: CivilDate) -> CivilDate {
    if case .range(let range) = self { range.upperBound } else { date }
  }
}

extension Calendar.Days {
  /// Reads "2026-12-25", "12-25" or "2026-12-24..2027-01-02".
  public init(_ text: String) throws(CalendarError) {
    if let dots = text.firstRange(of: "..") {
      let first = try Self.date(text[..<dots.lowerBound], in: text)
      let last = try Self.date(text[dots.upperBound...], in: text)
      guard first <= last else { throw .backwards(text, first: last, last: first) }
      self = .range(first...last)
    } else if text.utf8.count == Self.everyYear.utf8.count {
      // A year with a 29th of February, so that every day is one.
      let date = try Self.date("2024-\(text)", in: text)
      self = .everyYear(month: date.month, day: date.day)
    } else {
      self = .date(try Self.date(text, in: text))
    }
  }

  private static let everyYear = "12-25"

  private static func date(
    _ part: some StringProtocol, in text: String
  ) throws(CalendarError) -> CivilDate {
    do throws(TimeTextError) {
      return try CivilDate(part)
    } catch {
      guard case .notADate = error else {
        throw .noSuchDay(text, part: String(part.suffix(text.utf8.count)), length: error.length)
      }
      throw .unreadable(text)
    }
  }
}

extension TimeTextError {
  /// How many days the month has that was named, when there is such a month.
  fileprivate var length: Int? {
    if case .noSuchDay(_, let length) = self { length } else { nil }
  }
}

extension Calendar.Days: CustomStringConvertible {
  /// The days as the settings write them.
  public var description: String {
    switch self {
    case .date(let date): "\(date)"
    // Any year that has the day will do: what is wanted is how dates are written.
    case .everyYear(let month, let day):
      "\(CivilDate(year: 2024, month: month, day: day).map(\.description)?.suffix(5) ?? "")"
    case .range(let range): "\(range.lowerBound)..\(range.upperBound)"
    }
  }
}
