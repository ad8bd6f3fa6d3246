internal import Config
internal import JobKit
internal import LocalTime
internal import Settings

extension Option {
  static let wide = flag("wide", "show all columns, however narrow the terminal is")
  static let columns = value(
    "columns", "NAMES", "show these columns in this order, such as job,state; a blank is written _")
  static let utc = flag("utc", "show times in UTC instead of the job's zone")

  /// What every command takes that shows a table.
  static let ofTables: [Option] = [.wide, .columns]

  /// The same of a table that has times.
  static let ofTimes: [Option] = ofTables + [.utc]
}

extension Console {
  /// Writes a table: as wide as the terminal is, or as the call wants it.
  func show(_ table: Table, _ arguments: Arguments, of command: Command) throws {
    try print(text(table, arguments, of: command))
  }

  /// A table's text: as wide as the terminal is, or as the call wants it.
  func text(_ table: Table, _ arguments: Arguments, of command: Command) throws -> String {
    try table.chosen(by: arguments, of: command).text(in: style(for: arguments))
  }

  /// Writes a sentence beside a table, in lines as wide as that may be.
  func say(_ sentence: String, _ arguments: Arguments) throws(Unwritten) {
    try print(style(for: arguments).fitted(sentence.withVisibleControls, behind: ""))
  }

  /// How this call wants its text.
  func style(for arguments: Arguments) -> Style {
    arguments.has(.wide) ? style.wide : style
  }
}

extension Table {
  /// The columns that the call names, or all of them.
  func chosen(by arguments: Arguments, of command: Command) throws(UsageError) -> Table {
    guard let text = arguments[.columns] else { return self }
    var chosen: [String] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let wanted = word.replacing("_", with: " ").replacing("-", with: " ").lowercased()
      guard let name = names.first(where: { $0.lowercased() == wanted }) else {
        let known = names.map { $0.replacing(" ", with: "_") }.joined(separator: ", ")
        throw UsageError(
          .badValue(text, of: .columns, expected: "there is no column '\(word)': write \(known)"),
          command: command)
      }
      chosen.append(name)
    }
    return showing(chosen)
  }
}
