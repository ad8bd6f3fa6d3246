extension Cron {
  /// What is allowed in this expression and may yet surprise, one sentence each.
  public var remarks: [String] {
    stepRemarks + days.remarks
  }

  private var stepRemarks: [String] {
    let written = text.split(separator: " ")
    let fields = Array(CronField.allCases.suffix(written.count))
    guard (5...6).contains(written.count) else { return [] }
    return zip(fields, written).flatMap { field, list in
      list.split(separator: ",").compactMap { Self.remark(onStepOf: $0, in: field) }
    }
  }

  private static func remark(onStepOf item: Substring, in field: CronField) -> String? {
    let parts = item.split(separator: "/")
    guard let base = parts.first, let step = parts.last.flatMap({ Int($0) }), parts.count == 2,
      case .values(let values)? = try? CronItem(item, in: field)
    else { return nil }
    let size = field.everything.count
    if base == "*", [.second, .minute, .hour].contains(field), !size.isMultiple(of: step) {
      let last = values.last(through: size) ?? 0
      return "'\(item)' in the \(field) field begins again at 0 after \(last),"
        + " \(size - last) later instead of \(step)"
    }
    guard base != "*", values.count == 1, let only = values.first(from: 0) else { return nil }
    return "'\(item)' in the \(field) field is only ever \(only)"
  }
}

extension CronDays {
  fileprivate var remarks: [String] {
    var remarks = [String]()
    let hasNumbers = restrictsNumbers || wantsLastDay
    if restrictsWeekdays, hasNumbers, !numbers.isEmpty || wantsLastDay {
      remarks.append("day and weekday are both given: a day that matches either counts")
    }
    if let rareDay, !wantsLastDay, restrictsNumbers { remarks.append(rareDay) }
    if restrictsWeekdays, weekdays.isEmpty, lastWeekdays.isEmpty, numbers.isEmpty || !hasNumbers,
      nthWeekdays.bits & (1 << 28 - 1) == 0
    {
      remarks.append("a fifth weekday does not come in every month")
    }
    return remarks
  }

  /// A sentence when none of the days comes in every wanted month.
  private var rareDay: String? {
    guard let first = numbers.first(from: 1), first > 28 else { return nil }
    let without = months.values.filter { CalendarMonth.length(of: $0, isLeapYear: true) < first }
    if first == 29, months.contains(2) { return "29 February comes in leap years only" }
    guard !without.isEmpty else { return nil }
    let names = without.map { CronField.month.names[$0 - 1] }.joined(separator: ", ")
    return "day \(first) does not come in \(names)"
  }
}
