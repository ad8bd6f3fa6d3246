/// One item of a field's list: a value, a range, a step, or one of the words for days.
enum CronItem: Equatable {
  case values(ValueSet)
  case lastDay
  case nth(weekday: Int, week: Int)
  case last(weekday: Int)
}

extension CronItem {
  init(_ text: Substring, in field: CronField) throws(CronError) {
    try Self.refuseForeign(text, in: field)
    if let day = try Self.dayWord(text, in: field) {
      self = day
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let base = parts.first, parts.count <= 2 else {
      throw .unreadable(String(text), in: field)
    }
    let range = try Self.range(base, of: text, in: field)
    guard parts.count == 2 else {
      self = .values(ValueSet(range.map { Self.wrapped($0, in: field) }))
      return
    }
    let step = try Self.step(parts[1], of: text, in: field)
    guard base == "*" || base.contains("-") else {
      let fix = "\(base)-\(field.everything.upperBound)/\(step)"
      throw .stepWithoutRange(String(text), in: field, fix: fix)
    }
    let stepped = stride(from: range.lowerBound, through: range.upperBound, by: step)
    self = .values(ValueSet(stepped.map { Self.wrapped($0, in: field) }))
  }

  /// Sunday may be written as 7.
  private static func wrapped(_ value: Int, in field: CronField) -> Int {
    field == .weekday ? value % 7 : value
  }

  private static func range(
    _ text: Substring, of item: Substring, in field: CronField
  ) throws(CronError) -> ClosedRange<Int> {
    guard text != "*" else { return field.everything }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = ends.first, let last = ends.last, ends.count <= 2 else {
      throw .unreadable(String(item), in: field)
    }
    let low = try value(first, of: item, in: field)
    var high = try value(last, of: item, in: field)
    // FRI-SUN: at the end of a range Sunday is the seventh day.
    if field == .weekday, high == 0, low > 0, last.uppercased() == "SUN" { high = 7 }
    guard low <= high else {
      throw .backwards(String(item), in: field, fix: wrap(low, high, field))
    }
    return low...high
  }

  /// What someone who wrote a backward range meant: up to the end, and on from the beginning.
  private static func wrap(_ low: Int, _ high: Int, _ field: CronField) -> String {
    func word(_ value: Int) -> String { field == .weekday ? field.names[value % 7] : "\(value)" }
    func range(_ low: Int, _ high: Int) -> String {
      low == high ? word(low) : "\(word(low))-\(word(high))"
    }
    // The week has Sunday at both its ends: 5-0 needs no second part, and 7-2 no first.
    if field == .weekday, high == 0 { return range(low, 7) }
    if field == .weekday, low == 7 { return range(0, high) }
    let first = field == .weekday ? 1 : field.allowed.lowerBound
    return range(low, field.allowed.upperBound) + "," + range(first, high)
  }

  private static func step(
    _ text: Substring, of item: Substring, in field: CronField
  ) throws(CronError) -> Int {
    guard let step = number(text) else { throw .unreadable(String(item), in: field) }
    guard (1..<field.everything.count).contains(step) else {
      throw .badStep(String(item), in: field)
    }
    return step
  }

  static func value(
    _ text: Substring, of item: Substring, in field: CronField
  ) throws(CronError) -> Int {
    if let index = field.names.firstIndex(of: text.uppercased()) {
      return field.everything.lowerBound + index
    }
    guard let value = number(text) else { throw .unreadable(String(item), in: field) }
    guard field.allowed.contains(value) else { throw .outOfRange(String(item), in: field) }
    return value
  }

  /// ASCII digits alone: no sign, no point, no digits of other scripts.
  static func number(_ text: Substring) -> Int? {
    var reader = TextReader(text)
    guard let number = reader.number(digits: 1...9), reader.isAtEnd else { return nil }
    return number
  }
}
