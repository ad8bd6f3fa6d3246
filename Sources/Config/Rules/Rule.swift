/// A number of the jobs' own that the settings can change, such as `quiet_from` in `[push]`.
public struct Rule<Value: RuleValue>: Sendable {
  /// The table and the key, such as `push.quiet_from`.
  public let table: String
  public let key: String

  /// What it is unless the settings say otherwise.
  public let standard: Value

  /// What else it may be, in words, and whether a value is that.
  private let range: String
  private let allows: @Sendable (Value) -> Bool

  /// A rule whose values lie in a range.
  public init(
    _ table: String, _ key: String, _ standard: Value, in allowed: ClosedRange<Value>
  ) where Value: Comparable {
    self.table = table
    self.key = key
    self.standard = standard
    range = " from \(allowed.lowerBound.written) to \(allowed.upperBound.written)"
    allows = { allowed.contains($0) }
  }

  /// A rule whose values are a few words.
  public init(_ table: String, _ key: String, _ standard: Value, oneOf allowed: [Value]) {
    self.table = table
    self.key = key
    self.standard = standard
    range = ", one of \(allowed.map(\.written).listed(with: "or"))"
    allows = { allowed.contains($0) }
  }

  /// A rule whose values are whatever `allows`, in words that go on from the name of their kind.
  public init(
    _ table: String, _ key: String, _ standard: Value, that words: String,
    _ allows: @escaping @Sendable (Value) -> Bool
  ) {
    self.table = table
    self.key = key
    self.standard = standard
    range = " \(words)"
    self.allows = allows
  }

  /// A rule that is kept or not.
  public init(_ table: String, _ key: String, _ standard: Value) where Value == Bool {
    self.table = table
    self.key = key
    self.standard = standard
    range = ""
    allows = { _ in true }
  }

  public var name: String { "\(table).\(key)" }
}

extension Rule {
  /// How the settings read it.
  var kind: SettingKind<Value> {
    let example =
      standard is Int || standard is Double ? standard.written : "\"\(standard.written)\""
    // What is empty shows nobody what to write.
    let words = standard.written.isEmpty || standard is Bool ? "" : ", such as \(example)"
    return SettingKind(wanted: "\(Value.kindName)\(range)\(words)", write: \.written) {
      content throws(Misfit) in
      guard let written = WrittenRule(content) else { throw .kind }
      guard let value = Value(written) else { throw content.isText ? .value : .kind }
      guard allows(value) else { throw .value }
      return value
    }
  }
}

extension WrittenRule {
  fileprivate init?(_ content: TomlValue.Content) {
    switch content {
    case .integer(let value): self = .whole(value)
    case .float(let value): self = .fraction(value)
    case .string(let text): self = .text(text)
    case .boolean(let value): self = .flag(value)
    case .dateTime, .array, .table: return nil
    }
  }
}

extension TomlValue.Content {
  fileprivate var isText: Bool {
    if case .string = self { true } else { false }
  }
}
