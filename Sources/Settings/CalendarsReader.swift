internal import Config
internal import JobKit
import LocalTime

/// Reads the tables below `[calendars]`.
struct CalendarsReader {
  private(set) var calendars: [Calendar] = []

  /// Where each of them is named.
  private(set) var positions: [String: SourcePosition] = [:]

  mutating func read(from table: inout TableReader) {
    let wanted = "a table: [calendars.holidays], say, on a line of its own, and its days below"
    for (entry, section) in table.sections(wanted: wanted) {
      var section = section
      let days = Self.days(of: entry, from: &section)
      calendars.append(Calendar(name: entry.key, days: days))
      positions[entry.key] = entry.position
      table.adopt(section)
    }
  }

  private static func days(
    of entry: TomlTable.Entry, from table: inout TableReader
  ) -> [Calendar.Days] {
    let written = table.take(
      "days", as: .list("a list of days, such as [\"2026-12-25\", \"01-01\"]"))
    if table.problems.isEmpty, written?.value.isEmpty ?? true {
      let empty = CalendarError.empty(calendar: entry.key)
      table.note(.badDays(empty.description), at: written?.position ?? entry.position)
    }
    return (written?.value ?? []).compactMap { days($0, from: &table) }
  }

  private static func days(_ value: TomlValue, from table: inout TableReader) -> Calendar.Days? {
    guard let text = value.content.dateText else {
      table.refuse(
        value, of: "days", wanted: "a day in quotes, such as \"2026-12-25\" or \"12-25\"")
      return nil
    }
    do throws(CalendarError) {
      return try Calendar.Days(text)
    } catch {
      table.note(.badDays(error.description), at: value.position)
      return nil
    }
  }
}

extension TableReader {
  /// The calendars that a job names, of those that there are.
  mutating func readExceptions(among calendars: [Calendar]) -> [Calendar] {
    let wanted = "a list of calendars, such as [\"holidays\"]"
    let named = take("except", as: .list(wanted))?.value ?? []
    return named.compactMap { value in
      guard case .string(let name) = value.content else {
        refuse(value, of: "except", wanted: "the name of a calendar, such as \"holidays\"")
        return nil
      }
      if let calendar = calendars.first(where: { $0.name == name }) { return calendar }
      let known = calendars.map(\.name)
      note(
        .unknownCalendar(name: name, nearest: closest(to: name, in: known), known: known),
        at: value.position)
      return nil
    }
  }
}

extension Calendar {
  var line: SettingLine {
    .init(
      name: "calendars.\(name).days", value: days.map(\.description).joined(separator: ", "))
  }
}

extension TomlValue.Content {
  /// The text of a string, or of a date that stands without quotes.
  fileprivate var dateText: String? {
    switch self {
    case .string(let text), .dateTime(let text): text
    default: nil
    }
  }
}
