/// A cron expression: the local dates and times of day at which something is wanted.
///
/// Five fields (minute hour day month weekday) or six with seconds first. It says nothing about
/// zones: ``CronSchedule`` turns its local times into instants. An expression that can be held
/// can be read in one way only and comes true some day; everything else is refused with the fix.
public struct Cron: Sendable, Hashable {
  /// The expression as it was written, with single spaces.
  public let text: String

  let seconds: ValueSet
  let minutes: ValueSet
  let hours: ValueSet
  let days: CronDays

  /// Whether the hour field names all 24 hours.
  ///
  /// Such an expression describes a rhythm, not times on the wall, so it keeps its rhythm when
  /// clocks change.
  public var coversAllHours: Bool { hours.count == 24 }
}

extension Cron: CustomStringConvertible {
  public var description: String { text }
}

extension Cron {
  /// Reads an expression such as `30 2 * * MON-FRI`, or a nickname such as `@daily`.
  public init(_ text: some StringProtocol) throws(CronError) {
    let written = String(text).split { $0 == " " || $0 == "\t" }
    let normal = written.joined(separator: " ")
    guard normal != "every", !normal.hasPrefix("every ") else { throw .every(normal) }
    guard normal.hasPrefix("@") else {
      try self.init(fields: written, text: normal)
      return
    }
    guard let expression = Self.nicknames[normal.lowercased()] else {
      throw Self.refusal(ofNickname: normal)
    }
    try self.init(fields: expression.split(separator: " "), text: normal)
  }

  private init(fields written: [Substring], text: String) throws(CronError) {
    guard (5...6).contains(written.count) else {
      throw .wrongFieldCount(text, count: written.count)
    }
    let fields = written.count == 5 ? ["0"] + written : written
    self.text = text
    seconds = try CronList(fields[0], in: .second).values
    minutes = try CronList(fields[1], in: .minute).values
    hours = try CronList(fields[2], in: .hour).values
    days = try CronDays(
      day: CronList(fields[3], in: .day), month: CronList(fields[4], in: .month),
      weekday: CronList(fields[5], in: .weekday))
  }
}

extension Cron {
  private static let nicknames = [
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
  ]

  static let nicknameList = "@yearly, @monthly, @weekly, @daily or @hourly"

  private static func refusal(ofNickname text: String) -> CronError {
    switch text.lowercased() {
    case "@reboot": .reboot
    case let other where other.hasPrefix("@every"): .every(text)
    default: .unknownNickname(text, suggestion: closest(to: text, in: nicknames.keys.sorted()))
    }
  }
}

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
