/// A day of the calendar, without a zone: the number of days since 1970-01-01.
///
/// Days are counted rather than spelled, so "the day before" and "how many days between" are
/// subtraction. The range is that of a PostgreSQL date and more; beyond it dates stop.
public struct CivilDate: Sendable, Hashable {
  private let number: Int32

  public init(dayNumber: Int) {
    number = Int32(clamping: dayNumber)
  }

  /// The day of this year, month and day of the month, or nothing when there is none.
  public init?(year: Int, month: Int, day: Int) {
    guard (-9_999_999...9_999_999).contains(year), (1...12).contains(month), day >= 1 else {
      return nil
    }
    let first = CalendarMonth(year: year, month: month)
    guard day <= first.length else { return nil }
    self.init(dayNumber: first.firstDay + day - 1)
  }

  /// Days since 1970-01-01, negative before.
  public var dayNumber: Int { Int(number) }

  public var year: Int { CalendarMonth(containing: dayNumber).year }

  public var month: Int { CalendarMonth(containing: dayNumber).month }

  /// The day of the month, from 1.
  public var day: Int { dayNumber - CalendarMonth(containing: dayNumber).firstDay + 1 }

  public var weekday: Weekday {
    Weekday(rawValue: CalendarMonth.weekday(of: dayNumber)) ?? .sunday
  }

  /// The day that many days later, whether or not a zone has it.
  public func advanced(by days: Int) -> CivilDate {
    // Clamped first: no two dates are farther apart than 2³² days.
    CivilDate(dayNumber: dayNumber + min(max(days, -1 << 33), 1 << 33))
  }
}

extension CivilDate: Comparable {
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    left.number < right.number
  }
}

extension CivilDate: CustomStringConvertible {
  /// The date as in 2026-03-08.
  public var description: String {
    let month = CalendarMonth(containing: dayNumber)
    return "\(yearText(month.year))-\(digits(month.month))-\(digits(day))"
  }
}

extension CivilDate {
  /// Reads a date written as 2026-03-08.
  public init(_ text: some StringProtocol) throws(TimeTextError) {
    var reader = TextReader(text)
    guard let fields = DateFields(from: &reader), reader.isAtEnd else {
      throw .notADate(String(text))
    }
    self = try fields.date(in: String(text))
  }
}
