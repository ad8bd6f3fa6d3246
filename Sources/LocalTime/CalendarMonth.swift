/// One month of the Gregorian calendar, as arithmetic on day numbers wants it.
struct CalendarMonth {
  private(set) var year: Int
  private(set) var month: Int
  /// The day number of the first.
  private(set) var firstDay: Int

  init(year: Int, month: Int) {
    self.year = year
    self.month = month
    // Years begin in March here, so that the leap day is the last day of its year.
    let shifted = month > 2 ? year : year - 1
    let era = shifted.flooredDivision(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
    firstDay =
      era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
      - 719_468
  }

  init(containing dayNumber: Int) {
    let day = dayNumber + 719_468
    let era = day.flooredDivision(by: 146_097)
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    firstDay = dayNumber - (dayOfYear - (153 * shifted + 2) / 5)
  }

  var length: Int { Self.length(of: month, isLeapYear: Self.isLeap(year)) }

  var weekdayOfFirst: Int { Self.weekday(of: firstDay) }

  mutating func moveForward() {
    firstDay += length
    (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
  }

  mutating func moveBack() {
    (year, month) = month == 1 ? (year - 1, 12) : (year, month - 1)
    firstDay -= length
  }

  /// The weekday of a day, with Sunday as 0.
  static func weekday(of dayNumber: Int) -> Int {
    let sinceSunday = (dayNumber + 4) % 7
    return sinceSunday < 0 ? sinceSunday + 7 : sinceSunday
  }

  static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  static func length(of month: Int, isLeapYear: Bool) -> Int {
    switch month {
    case 2: isLeapYear ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
