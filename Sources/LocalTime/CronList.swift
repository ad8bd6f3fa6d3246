/// The whole of one field: a list of items.
struct CronList {
  let text: String
  private(set) var values = ValueSet()
  private(set) var wantsLastDay = false
  /// Seven bits for each of the first to the fifth.
  private(set) var nthWeekdays = ValueSet()
  private(set) var lastWeekdays = ValueSet()
  /// Whether an item is `*` or counts in steps from it.
  private(set) var startsWithStar = false

  init(_ text: Substring, in field: CronField) throws(CronError) {
    self.text = String(text)
    let items = text.split(separator: ",", omittingEmptySubsequences: false)
    guard items.count == 1 || !items.contains("*") else {
      throw .starInList(String(text), in: field)
    }
    for item in items { add(try CronItem(item, in: field)) }
    startsWithStar = items.contains { $0.hasPrefix("*") }
  }

  private mutating func add(_ item: CronItem) {
    switch item {
    case .values(let values): self.values.formUnion(values)
    case .lastDay: wantsLastDay = true
    case .nth(let weekday, let week): nthWeekdays.insert(7 * (week - 1) + weekday)
    case .last(let weekday): lastWeekdays.insert(weekday)
    }
  }
}

extension CronDays {
  init(day: CronList, month: CronList, weekday: CronList) throws(CronError) {
    months = month.values
    numbers = day.values
    wantsLastDay = day.wantsLastDay
    weekdays = weekday.values
    nthWeekdays = weekday.nthWeekdays
    lastWeekdays = weekday.lastWeekdays
    let bothAreWritten = day.text != "*" && weekday.text != "*"
    let isStarred = day.startsWithStar || weekday.startsWithStar
    if bothAreWritten, isStarred || !restrictsNumbers || !restrictsWeekdays {
      throw .ambiguousDays(day: day.text, weekday: weekday.text)
    }
    if !restrictsWeekdays, !wantsLastDay, numbers.first(from: 1) ?? 32 > longestMonth {
      throw .neverComes(days: day.text, months: month.text, longest: longestMonth)
    }
  }

  /// The length of the longest wanted month, in a leap year.
  var longestMonth: Int {
    months.values.map { CalendarMonth.length(of: $0, isLeapYear: true) }.max() ?? 31
  }
}
