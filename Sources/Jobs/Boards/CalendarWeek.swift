import LocalTime

/// A week of the ISO calendar: it begins on a Monday, and its year is that of its Thursday.
struct CalendarWeek: Equatable {
  let monday: CivilDate

  /// The week that a date is in.
  init(containing date: CivilDate) {
    // Cron counts from Sunday, the ISO calendar from Monday.
    monday = date.advanced(by: -((date.weekday.rawValue + 6) % 7))
  }
}

extension CalendarWeek: CustomStringConvertible {
  /// The week as in 2026-W10.
  var description: String {
    let thursday = monday.advanced(by: 3)
    let newYear = CivilDate(year: thursday.year, month: 1, day: 1) ?? thursday
    let number = (thursday.dayNumber - newYear.dayNumber) / 7 + 1
    return "\(thursday.year)-W\(number < 10 ? "0" : "")\(number)"
  }
}
