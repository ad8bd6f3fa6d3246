/// The rule by which a zone's clocks go on changing after the last change that its file lists.
struct PosixRule: Sendable, Hashable {
  let standardOffset: Int
  let daylight: Daylight?

  struct Daylight: Sendable, Hashable {
    let offset: Int
    let start: YearDay
    let end: YearDay
  }

  /// A moment of the year: a day, and local seconds from its midnight, which may reach other days.
  struct YearDay: Sendable, Hashable {
    let day: Day
    let seconds: Int

    enum Day: Sendable, Hashable {
      /// 1 to 365; 29 February has no number.
      case julian(Int)
      /// 0 to 365, with 29 February.
      case zeroBased(Int)
      /// Week 5 is the last one of the month.
      case weekday(month: Int, week: Int, weekday: Int)
    }
  }
}

extension PosixRule {
  /// The changes of the clocks in those years, in order.
  func spans(of years: ClosedRange<Int>) -> [ZoneSpan] {
    guard let daylight else { return [] }
    let changes = years.flatMap { year in
      [
        ZoneSpan(
          start: daylight.end.localSeconds(in: year) - daylight.offset, offset: standardOffset),
        ZoneSpan(
          start: daylight.start.localSeconds(in: year) - standardOffset, offset: daylight.offset),
      ]
    }
    return changes.enumerated()
      .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
  }

  /// The offset at an instant, once the rule holds.
  func offset(at second: Int) -> Int {
    let year = CalendarMonth(containing: second.flooredDivision(by: 86_400)).year
    return spans(of: year - 2...year + 2).last { $0.start <= second }?.offset ?? standardOffset
  }
}

extension PosixRule.YearDay {
  func localSeconds(in year: Int) -> Int {
    dayNumber(in: year) * 86_400 + seconds
  }

  private func dayNumber(in year: Int) -> Int {
    let newYear = CalendarMonth(year: year, month: 1).firstDay
    switch day {
    case .zeroBased(let day):
      return newYear + day
    case .julian(let day):
      let isPastLeapDay = CalendarMonth.isLeap(year) && day >= 60
      return newYear + day - (isPastLeapDay ? 0 : 1)
    case .weekday(let month, let week, let weekday):
      let month = CalendarMonth(year: year, month: month)
      let first = (weekday - month.weekdayOfFirst + 7) % 7
      let day = first + 7 * (week - 1)
      return month.firstDay + (day < month.length ? day : day - 7)
    }
  }
}
