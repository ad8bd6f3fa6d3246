import LocalTime
import Testing

/// Dates without a zone.
struct CivilDateTests {
  @Test(arguments: [
    ("1970-01-01", 0, Weekday.thursday), ("1969-12-31", -1, .wednesday),
    ("2000-02-29", 11_016, .tuesday), ("2026-03-08", 20_520, .sunday),
    ("1900-03-01", -25_508, .thursday), ("0000-03-01", -719_468, .wednesday),
    ("9999-12-31", 2_932_896, .friday),
  ])
  func `a date is a number of days`(text: String, number: Int, weekday: Weekday) throws {
    let date = try CivilDate(text)

    #expect(date == CivilDate(dayNumber: number))
    #expect(date.weekday == weekday)
    #expect(date.description == text)
  }

  @Test func `four hundred years of dates follow one another`() throws {
    var date = try CivilDate("1899-12-31")
    var days = 0

    while date.year < 2300 {
      let next = date.advanced(by: 1)
      guard CivilDate(year: next.year, month: next.month, day: next.day) == next,
        next.day == 1 || next.day == date.day + 1 && next.month == date.month
      else {
        Issue.record("\(next) follows \(date)")
        return
      }
      date = next
      days += 1
    }

    #expect(days == 146_097 + 1)
  }

  @Test(arguments: [
    (2026, 2, 29), (2100, 2, 29), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0),
    (Int.max, 1, 1), (2026, 1, Int.max),
  ])
  func `a date that is on no calendar cannot be had`(year: Int, month: Int, day: Int) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test(arguments: [
    ("2026-3-8", "cannot read '2026-3-8' as a date: write it as 2026-03-08"),
    ("20260308", "cannot read '20260308' as a date: write it as 2026-03-08"),
    ("2026-03-08T00:00", "cannot read '2026-03-08T00:00' as a date: write it as 2026-03-08"),
    ("", "cannot read '' as a date: write it as 2026-03-08"),
    ("2026-02-29", "'2026-02-29' is no day of its month: write 01 to 28"),
    ("2024-02-30", "'2024-02-30' is no day of its month: write 01 to 29"),
    ("2026-04-00", "'2026-04-00' is no day of its month: write 01 to 30"),
    ("2026-00-01", "'2026-00-01' has no month 0: write 01 to 12"),
  ])
  func `a date that cannot be read says what to write`(text: String, message: String) {
    let error = #expect(throws: TimeTextError.self) { try CivilDate(text) }

    #expect(error?.description == message)
  }

  @Test(arguments: [
    ("02:30", "cannot read '02:30' as a local time: write it as 2026-03-08T02:30:00"),
    (
      "2026-03-08T02:30:00Z",
      "cannot read '2026-03-08T02:30:00Z' as a local time: write it as 2026-03-08T02:30:00"
    ),
    (
      "2026-03-08T25:00", "'2026-03-08T25:00' is no time of day: write 00:00:00 to 23:59:59"
    ),
  ])
  func `a local time that cannot be read says what to write`(text: String, message: String) {
    let error = #expect(throws: TimeTextError.self) { try LocalDateTime(text) }

    #expect(error?.description == message)
  }

  @Test func `dates far beyond history stop instead of failing`() {
    let last = CivilDate(dayNumber: .max)

    #expect(last.advanced(by: .max) == last)
    #expect(last.description == "+5881580-07-11")
    #expect(CivilDate(dayNumber: .min).advanced(by: .min) == CivilDate(dayNumber: .min))
    #expect(last.advanced(by: .min) == CivilDate(dayNumber: .min))
  }
}
