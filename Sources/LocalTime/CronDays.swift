/// The days a cron expression wants.
struct CronDays: Sendable, Hashable {
  let months: ValueSet
  /// Days of the month, 1 to 31.
  let numbers: ValueSet
  let wantsLastDay: Bool
  /// Weekdays, Sunday as 0.
  let weekdays: ValueSet
  /// Weekdays that count once a month: seven bits for each of the first to the fifth.
  let nthWeekdays: ValueSet
  /// Weekdays that count the last time they come in the month.
  let lastWeekdays: ValueSet

  /// Whether the day field leaves out some day of some month.
  var restrictsNumbers: Bool { numbers.count < 31 }

  /// Whether the weekday field leaves out some day.
  var restrictsWeekdays: Bool { weekdays.count < 7 }

  /// No expression waits longer for its day than 29 February does for its weekday across a
  /// century's end: 40 years.
  static let longestWaitInMonths = 41 * 12
}

extension CronDays {
  /// The first wanted day on or after a day number.
  func first(from dayNumber: Int) -> Int? {
    var month = CalendarMonth(containing: dayNumber)
    var wanted = days(of: month)
    var from = dayNumber - month.firstDay + 1
    for _ in 0..<Self.longestWaitInMonths {
      if let day = wanted.first(from: from) { return month.firstDay + day - 1 }
      month.moveForward()
      wanted = days(of: month)
      from = 1
    }
    return nil
  }

  /// The last wanted day on or before a day number.
  func last(through dayNumber: Int) -> Int? {
    var month = CalendarMonth(containing: dayNumber)
    var wanted = days(of: month)
    var through = dayNumber - month.firstDay + 1
    for _ in 0..<Self.longestWaitInMonths {
      if let day = wanted.last(through: through) { return month.firstDay + day - 1 }
      month.moveBack()
      wanted = days(of: month)
      through = 31
    }
    return nil
  }

  func contains(_ dayNumber: Int) -> Bool {
    let month = CalendarMonth(containing: dayNumber)
    return days(of: month).contains(dayNumber - month.firstDay + 1)
  }

  /// The wanted days of one month: bit 1 is the first.
  private func days(of month: CalendarMonth) -> ValueSet {
    guard months.contains(month.month) else { return ValueSet() }
    let length = month.length
    let whole = (1 << UInt64(length + 1)) - 2 as UInt64
    let byNumber = numbers.bits | (wantsLastDay ? 1 << UInt64(length) : 0)
    guard restrictsWeekdays else { return ValueSet(bits: byNumber & whole) }
    let byWeekday = weekdayBits(first: month.weekdayOfFirst, length: length)
    // POSIX: when both are restricted, a day that either wants is wanted.
    let wanted = restrictsNumbers ? byNumber | byWeekday : byWeekday
    return ValueSet(bits: wanted & whole)
  }

  private func weekdayBits(first: Int, length: Int) -> UInt64 {
    var bits = Self.week(weekdays.bits, first: first) * Self.everyWeek
    if !nthWeekdays.isEmpty {
      for week in 0..<5 as Range<UInt64> {
        bits |= Self.week(nthWeekdays.bits >> (7 * week) & 0x7F, first: first) << (7 * week)
      }
    }
    if !lastWeekdays.isEmpty {
      let lastWeek = 0x7F << UInt64(length - 7) as UInt64
      bits |= Self.week(lastWeekdays.bits, first: first) * Self.everyWeek & lastWeek
    }
    return bits << 1
  }

  /// A bit every seventh day, to repeat a week by multiplication.
  private static let everyWeek: UInt64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28

  /// Seven weekday bits turned so that the weekday `first` comes first.
  private static func week(_ weekdays: UInt64, first: Int) -> UInt64 {
    (weekdays >> UInt64(first) | weekdays << UInt64(7 - first)) & 0x7F
  }
}
