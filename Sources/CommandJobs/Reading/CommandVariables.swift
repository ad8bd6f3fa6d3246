internal import Config

extension TableReader {
  /// The variables that a program gets besides those that all get.
  mutating func readVariables() -> [(name: String, value: String)] {
    let wanted = "a table of variables, such as { LANG = \"C.UTF-8\" }"
    guard let (variables, _) = take("environment", as: .table(wanted)) else { return [] }
    return variables.entries.compactMap { entry in
      if let reason = Self.fault(of: entry) {
        note(
          .forbidden(name: "\(name(of: "environment")).\(entry.key)", reason: reason),
          at: entry.position)
        return nil
      }
      guard case .string(let value) = entry.value.content else { return nil }
      return (entry.key, value)
    }
  }

  private static func fault(of variable: TomlTable.Entry) -> String? {
    let isName =
      variable.key.first.map { !$0.isNumber } ?? false
      && variable.key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard isName else { return "is no name of a variable: write letters, digits and '_'" }
    guard !variable.key.hasPrefix("JOBKIT_") else {
      return "is set for each run: names that begin with JOBKIT_ are taken"
    }
    guard case .string(let value) = variable.value.content else {
      return "is \(variable.value.content.kindName): write a text in quotes"
    }
    return value.unicodeScalars.contains("\0") ? "has a NUL, which no variable can have" : nil
  }
}

extension SettingKind<TomlTable> {
  fileprivate static func table(_ wanted: String) -> Self {
    SettingKind(wanted: wanted) { content throws(Misfit) in
      guard case .table(let table) = content else { throw .kind }
      return table
    }
  }
}

extension SettingKind<Int?> {
  /// A number of bytes.
  static var size: Self {
    SettingKind(wanted: "a size from \"16M\" to \"1024G\", such as \"512M\"") {
      content throws(Misfit) in
      guard case .string(let text) = content else { throw .kind }
      let units: [Character: Int] = ["M": 1 << 20, "G": 1 << 30]
      guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
        (1...1_048_576).contains(count), (16 << 20...1 << 40).contains(count * unit)
      else { throw .value }
      return count * unit
    }
  }
}

extension TomlValue.Content {
  /// The value in one line, for a listing.
  var listed: String {
    switch self {
    case .array(let values): values.map(\.content.listed).joined(separator: " ")
    case .table(let table):
      table.entries.map { "\($0.key)=\($0.value.content.listed)" }.joined(separator: " ")
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .float(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .dateTime(let text): text
    }
  }
}
