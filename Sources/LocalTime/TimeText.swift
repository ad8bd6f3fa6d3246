/// A date as digits, before anything is known to be in range.
struct DateFields {
  let year: Int
  let month: Int
  let day: Int

  init?(from reader: inout TextReader) {
    guard let year = reader.number(digits: 4...4), reader.take("-"),
      let month = reader.number(digits: 2...2), reader.take("-"),
      let day = reader.number(digits: 2...2)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  func date(in text: String) throws(TimeTextError) -> CivilDate {
    guard (1...12).contains(month) else { throw .noSuchMonth(text, month: month) }
    guard let date = CivilDate(year: year, month: month, day: day) else {
      throw .noSuchDay(text, length: CalendarMonth(year: year, month: month).length)
    }
    return date
  }
}

/// A time of day as digits, before anything is known to be in range.
struct TimeFields {
  let hour: Int
  let minute: Int
  let second: Int

  init?(from reader: inout TextReader, needsSeconds: Bool) {
    guard let hour = reader.number(digits: 2...2), reader.take(":"),
      let minute = reader.number(digits: 2...2)
    else { return nil }
    (self.hour, self.minute) = (hour, minute)
    guard reader.take(":") else {
      guard !needsSeconds else { return nil }
      second = 0
      return
    }
    guard let second = reader.number(digits: 2...2) else { return nil }
    self.second = second
  }

  func secondOfDay(in text: String) throws(TimeTextError) -> Int {
    guard second != 60 else { throw .leapSecond(text) }
    guard hour < 24, minute < 60, second < 60 else { throw .noSuchTime(text) }
    return hour * 3600 + minute * 60 + second
  }
}

/// Two digits, as dates and times have them.
func digits(_ value: Int) -> String {
  value < 10 ? "0\(value)" : "\(value)"
}

/// Four digits, or a sign and more of them for years that RFC 3339 cannot write.
func yearText(_ year: Int) -> String {
  guard !(1000...9999).contains(year) else { return "\(year)" }
  let padded = String(repeating: "0", count: max(0, 4 - "\(abs(year))".count)) + "\(abs(year))"
  return year < 0 ? "-\(padded)" : year > 9999 ? "+\(padded)" : padded
}

/// An offset from UTC as in -04:00 or Z, with seconds only when a zone's old rules have some.
func offsetText(_ offset: Int) -> String {
  guard offset != 0 else { return "Z" }
  let size = abs(offset)
  let seconds = size % 60 == 0 ? "" : ":\(digits(size % 60))"
  return (offset < 0 ? "-" : "+") + "\(digits(size / 3600)):\(digits(size / 60 % 60))\(seconds)"
}
