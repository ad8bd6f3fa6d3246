internal import LocalTime

/// How one kind of setting is read and listed, and how a refusal says what to write.
package struct SettingKind<Value> {
  /// What to write, such as "a whole number from 1 to 64, such as 4".
  package let wanted: String
  /// The value as the file has it, without quotes.
  package let write: (Value) -> String
  package let read: (TomlValue.Content) throws(Misfit) -> Value

  package init(
    wanted: String, write: @escaping (Value) -> String = { "\($0)" },
    read: @escaping (TomlValue.Content) throws(Misfit) -> Value
  ) {
    self.wanted = wanted
    self.write = write
    self.read = read
  }
}

/// Why a value is none of the kind that a setting wants.
package enum Misfit: Error {
  /// It is a string where a number is wanted, say.
  case kind
  /// It is of the right kind but not one of the values that are allowed.
  case value
  /// It may not be written, and may not be shown; the sentence goes on from the setting's name.
  case forbidden(String)

  package func fault(name: String, found: TomlValue.Content, wanted: String) -> SettingsFault {
    switch self {
    case .kind: .refused(name: name, found: found.kindName, wanted: wanted)
    case .value: .refused(name: name, found: found.quoted, wanted: wanted)
    case .forbidden(let reason): .forbidden(name: name, reason: reason)
    }
  }
}

extension SettingKind<Bool> {
  package static var flag: Self {
    SettingKind(wanted: "true or false") { content throws(Misfit) in
      guard case .boolean(let value) = content else { throw .kind }
      return value
    }
  }
}

extension SettingKind<Int> {
  package static func count(_ allowed: ClosedRange<Int>, suchAs example: Int) -> Self {
    let wanted =
      "a whole number from \(allowed.lowerBound) to \(allowed.upperBound), such as \(example)"
    return SettingKind(wanted: wanted) { content throws(Misfit) in
      guard case .integer(let value) = content else { throw .kind }
      guard allowed.contains(value) else { throw .value }
      return value
    }
  }
}

extension SettingKind<Duration> {
  package static func duration(_ allowed: ClosedRange<Duration>, suchAs example: String) -> Self {
    let (shortest, longest) = (allowed.lowerBound.written, allowed.upperBound.written)
    let wanted = "a duration from \(shortest) to \(longest), such as \"\(example)\""
    return SettingKind(wanted: wanted, write: \.written) { content throws(Misfit) in
      guard case .string(let text) = content else { throw .kind }
      guard let value = Duration(written: text), allowed.contains(value) else { throw .value }
      return value
    }
  }

  package static func seconds(_ allowed: ClosedRange<Int>, suchAs example: String) -> Self {
    .duration(.seconds(allowed.lowerBound)...(.seconds(allowed.upperBound)), suchAs: example)
  }
}

extension SettingKind<[TomlValue]> {
  /// A list, whose elements are looked at one by one.
  package static func list(_ wanted: String) -> Self {
    SettingKind(wanted: wanted) { content throws(Misfit) in
      guard case .array(let values) = content else { throw .kind }
      return values
    }
  }
}

extension SettingKind<String> {
  /// The name of a zone; whether there is such a zone is for the zone data to say.
  package static var zone: Self { .text("the name of a zone, such as \"Europe/Zurich\"") }

  package static func text(_ wanted: String) -> Self {
    SettingKind(wanted: wanted) { content throws(Misfit) in
      guard case .string(let text) = content else { throw .kind }
      return text
    }
  }
}

extension SettingKind<String?> {
  /// The path of a file or folder from the root on, or `""` for none.
  package static func path(suchAs example: String) -> Self {
    let wanted = "an absolute path, such as \"\(example)\", or \"\" for none"
    return SettingKind(wanted: wanted, write: { $0 ?? "" }) { content throws(Misfit) in
      guard case .string(let text) = content else { throw .kind }
      guard text.isEmpty || text.hasPrefix("/"), !text.unicodeScalars.contains("\0") else {
        throw .value
      }
      return text.isEmpty ? nil : text
    }
  }

  /// The name of a role, or `""` for none; whether there is such a role is for the database to say.
  package static var role: Self {
    let wanted = "the name of a role of the database, such as \"worker\", or \"\" for none"
    return SettingKind(wanted: wanted, write: { $0 ?? "" }) { content throws(Misfit) in
      guard case .string(let text) = content else { throw .kind }
      guard text.utf8.count <= 63, !text.unicodeScalars.contains("\0") else { throw .value }
      return text.isEmpty ? nil : text
    }
  }
}

extension SettingKind where Value: RawRepresentable<String> & CaseIterable {
  package static var choice: Self {
    let words = Value.allCases.map { "\"\($0.rawValue)\"" }
    return SettingKind(wanted: words.listed(with: "or"), write: \.rawValue) {
      content throws(Misfit) in
      guard case .string(let text) = content else { throw .kind }
      guard let value = Value(rawValue: text) else { throw .value }
      return value
    }
  }
}

/// Kinds of settings that may also be switched off.
extension SettingKind<Duration?> {
  package static func secondsOrNone(_ allowed: ClosedRange<Int>, suchAs example: String) -> Self {
    let duration = SettingKind<Duration>.seconds(allowed, suchAs: example)
    let wanted = "\(duration.wanted), or \"\" for none"
    return SettingKind(wanted: wanted, write: { $0?.written ?? "" }) { content throws(Misfit) in
      content == .string("") ? nil : try duration.read(content)
    }
  }
}

extension SettingKind<Int?> {
  package static func countOrNone(_ allowed: ClosedRange<Int>, suchAs example: Int) -> Self {
    let count = SettingKind<Int>.count(allowed, suchAs: example)
    let wanted = "\(count.wanted), or 0 for no limit"
    return SettingKind(wanted: wanted, write: { "\($0 ?? 0)" }) { content throws(Misfit) in
      content == .integer(0) ? nil : try count.read(content)
    }
  }
}

extension SettingKind<Double?> {
  /// How many times something, which is more than once.
  package static var timesOrNone: Self {
    let wanted = "a number above 1, such as 3.5, or 0 for no limit"
    return SettingKind(wanted: wanted, write: { $0.map { "\($0)" } ?? "0" }) {
      content throws(Misfit) in
      let number: Double
      switch content {
      case .integer(let whole): number = Double(whole)
      case .float(let fraction): number = fraction
      default: throw .kind
      }
      if number == 0 { return nil }
      guard number > 1, number.isFinite else { throw .value }
      return number
    }
  }
}
