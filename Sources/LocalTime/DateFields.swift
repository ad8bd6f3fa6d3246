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
