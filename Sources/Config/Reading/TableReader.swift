import LocalTime

/// Reads a table setting by setting, goes on after every fault, and reports what nobody asked for.
package struct TableReader {
  private let table: TomlTable
  private let file: String
  /// Where the table stands in the document, such as ["jobs", "deliver_pushes"].
  private let path: [String]
  /// The text of the document, for what is wrong inside of a string.
  private let source: TomlText?
  /// What is not only unknown but needs more than "unknown" to be said.
  private var forbidden: [String: () -> String] = [:]

  /// Every key of the table that was asked for.
  package private(set) var known: [String] = []
  package private(set) var problems: [Problem] = []
  /// Every setting that was asked for, whether it is there or not.
  package private(set) var asked: [KnownSetting] = []

  package init(
    _ table: TomlTable, path: [String] = [], file: String, source: TomlText? = nil
  ) {
    self.table = table
    self.path = path
    self.file = file
    self.source = source
  }

  /// The setting's value, or `fallback` when it is absent or at fault.
  package mutating func read<Value>(
    _ key: String, as kind: SettingKind<Value>, else fallback: Value
  ) -> Value {
    take(key, as: kind)?.value ?? fallback
  }

  /// The setting's value and where it stands, or nothing when it is absent or at fault.
  package mutating func take<Value>(
    _ key: String, as kind: SettingKind<Value>
  ) -> (value: Value, position: SourcePosition)? {
    known.append(key)
    asked.append(KnownSetting(table: path, key: key, wanted: kind.wanted))
    guard let found = table[key] else { return nil }
    do throws(Misfit) {
      return (try kind.read(found.content), found.position)
    } catch {
      let fault = error.fault(name: name(of: key), found: found.content, wanted: kind.wanted)
      note(fault, at: found.position)
      return nil
    }
  }

  /// Reads the table below `key`; an absent one reads as empty, so that defaults are in one place.
  package mutating func section<Value>(
    _ key: String, read: (inout TableReader) -> Value
  ) -> Value {
    known.append(key)
    var section = TableReader(
      subtable(key), path: path + [key], file: file, source: source)
    let value = read(&section)
    adopt(section)
    return value
  }

  /// The tables below this one, whatever they are called; what is no table is a fault.
  package mutating func sections(wanted: String) -> [(entry: TomlTable.Entry, reader: TableReader)]
  {
    known += table.entries.map(\.key)
    return table.entries.compactMap { entry in
      guard case .table(let section) = entry.value.content else {
        let found = entry.value.content.kindName
        note(
          .refused(name: name(of: entry.key), found: found, wanted: wanted), at: entry.position)
        return nil
      }
      return (entry, TableReader(section, path: path + [entry.key], file: file, source: source))
    }
  }

  /// Takes over what a reader of a table below found, and what it was never asked for.
  package mutating func adopt(_ section: TableReader) {
    problems += section.problems + section.strangers
    asked += section.asked
  }

  /// Lets everything stand that nobody has asked for, where it cannot be told who would ask.
  package mutating func passOverStrangers() {
    known += table.entries.map(\.key)
  }

  package mutating func forbid(_ key: String, because reason: @autoclosure @escaping () -> String) {
    forbidden[key] = reason
  }

  /// Notes a problem when one setting is above another that bounds it, at the later one of those that
  /// the file sets.
  package mutating func refuse<Value: Comparable>(
    _ key: String, _ value: Value?, above bound: String, _ limit: Value?,
    written: (Value) -> String
  ) {
    guard let value, let limit, value > limit else { return }
    let fault = SettingsFault.aboveBound(
      name: name(of: key), value: written(value), bound: name(of: bound), limit: written(limit))
    let position = [key, bound].compactMap { table[$0]?.position }.max()
    problems.append(Problem(file: file, position: position, what: fault))
  }

  /// What is written there, whether anybody asks for it or not.
  package subscript(key: String) -> TomlValue.Content? { table[key]?.content }

  /// Where the value of a setting is written, if it is.
  package func position(of key: String) -> SourcePosition? { table[key]?.position }

  /// The text that a setting has, with what tells the place of each of its letters.
  package func text(_ text: String, of key: String, at position: SourcePosition) -> SettingText {
    SettingText(name: name(of: key), text: text, file: file, position: position, source: source)
  }

  package mutating func note(_ problem: Problem) {
    problems.append(problem)
  }

  /// Notes a problem with one element of a list.
  package mutating func refuse(_ value: TomlValue, of key: String, wanted: String) {
    let found = value.content.kindName
    note(.badElement(name: name(of: key), found: found, wanted: wanted), at: value.position)
  }

  package mutating func note(_ fault: SettingsFault, at position: SourcePosition) {
    problems.append(Problem(file: file, position: position, what: fault))
  }

  /// A problem for every key that no one has asked for.
  package var strangers: [Problem] {
    table.entries.filter { !known.contains($0.key) }.map { entry in
      Problem(file: file, position: entry.position, what: stranger(entry.key))
    }
  }

  package func name(of key: String) -> String {
    (path + [key]).joined(separator: ".")
  }

  private func stranger(_ key: String) -> SettingsFault {
    if let reason = forbidden[key] { return .forbidden(name: name(of: key), reason: reason()) }
    return .unknown(
      name: name(of: key), nearest: closest(to: key, in: known).map(name),
      known: known.map(name))
  }

  private mutating func subtable(_ key: String) -> TomlTable {
    guard let found = table[key] else { return TomlTable(entries: []) }
    if case .table(let section) = found.content { return section }
    let wanted = "a table: [\(name(of: key))] on a line of its own, and its settings below"
    note(
      .refused(name: name(of: key), found: found.content.kindName, wanted: wanted),
      at: found.position)
    return TomlTable(entries: [])
  }
}
