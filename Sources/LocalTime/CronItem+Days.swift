extension CronItem {
  /// Reads L, 5L, FRIL, 5#2 and FRI#2, or nothing when the text is none of them.
  static func dayWord(_ text: Substring, in field: CronField) throws(CronError) -> CronItem? {
    if field == .day { return text.uppercased() == "L" ? .lastDay : nil }
    guard field == .weekday else { return nil }
    if let mark = text.firstIndex(of: "#") {
      let week = number(text[text.index(after: mark)...])
      let weekday = try value(text[..<mark], of: text, in: field) % 7
      guard let week, (1...5).contains(week) else {
        throw .notOffered(String(text), in: field, fix: "the weekday and #1 to #5, such as MON#1")
      }
      return .nth(weekday: weekday, week: week)
    }
    guard text.count > 1, text.uppercased().hasSuffix("L") else { return nil }
    return .last(weekday: try value(text.dropLast(), of: text, in: field) % 7)
  }

  /// Refuses what other programs understand, by name, so that the fix can be named as well.
  static func refuseForeign(_ text: Substring, in field: CronField) throws(CronError) {
    guard let fix = foreignFix(text.uppercased(), in: field) else { return }
    throw .notOffered(String(text), in: field, fix: fix)
  }

  private static func foreignFix(_ text: String, in field: CronField) -> String? {
    if text == "?" { return "*" }
    if text == "H" || text.hasPrefix("H/") || text.hasPrefix("H(") || text.contains("~") {
      return "the \(field) itself, such as \(field.everything.lowerBound)"
    }
    if field == .day, text == "LW" || text == "WL" { return "L, or 5L as the weekday" }
    if field == .day, text.hasSuffix("W") {
      return "the day itself, or MON-FRI as the weekday"
    }
    if field == .day, text.hasPrefix("L-") { return "L, or the day itself" }
    if field == .weekday, text == "L" { return "SAT, or 6L for the last one of the month" }
    if let name = fullName(text, in: field) { return name }
    return text.hasPrefix("+") ? String(text.dropFirst()) : nil
  }

  private static func fullName(_ text: String, in field: CronField) -> String? {
    // MAY is whole already.
    guard text.count > 3 else { return nil }
    let full =
      field == .month
      ? [
        "JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "SEPTEMBER",
        "OCTOBER", "NOVEMBER", "DECEMBER",
      ] : ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"]
    return zip(full, field.names).first { $0.0 == text }?.1
  }
}
