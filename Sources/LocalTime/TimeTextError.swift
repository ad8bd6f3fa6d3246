/// Why a date or a time cannot be read.
public enum TimeTextError: Error, Equatable {
  case notADate(String)
  case notALocalTime(String)
  case notAnInstant(String)
  case noSuchMonth(String, month: Int)
  case noSuchDay(String, length: Int)
  case noSuchTime(String)
  case noSuchOffset(String)
  case leapSecond(String)
}

extension TimeTextError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notADate(let text):
      "cannot read '\(text)' as a date: write it as 2026-03-08"
    case .notALocalTime(let text):
      "cannot read '\(text)' as a local time: write it as 2026-03-08T02:30:00"
    case .notAnInstant(let text):
      "cannot read '\(text)' as an instant: write it as 2026-03-08T07:00:00Z"
        + " or 2026-03-08T02:00:00-05:00"
    case .noSuchMonth(let text, let month):
      "'\(text)' has no month \(month): write 01 to 12"
    case .noSuchDay(let text, let length):
      "'\(text)' is no day of its month: write 01 to \(length)"
    case .noSuchTime(let text):
      "'\(text)' is no time of day: write 00:00:00 to 23:59:59"
    case .noSuchOffset(let text):
      "'\(text)' has no such offset from UTC: write Z, or -23:59 to +23:59"
    case .leapSecond(let text):
      "'\(text)' is a leap second, which computers do not count: write second 59"
    }
  }
}
