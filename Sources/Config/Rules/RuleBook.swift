/// The rules that the jobs go by, as the settings have them.
public struct RuleBook: Sendable {
  private var values: [(name: String, value: any RuleValue)] = []

  /// A book in which every rule is as it is by default.
  public init() {}

  public subscript<Value>(rule: Rule<Value>) -> Value {
    values.first { $0.name == rule.name }?.value as? Value ?? rule.standard
  }

  /// Changes a rule, whether the settings could say so or not.
  public mutating func set<Value>(_ rule: Rule<Value>, to value: Value) {
    values.removeAll { $0.name == rule.name }
    values.append((rule.name, value))
  }
}

extension RuleBook: Equatable {
  package var listing: [SettingLine] {
    values.map { SettingLine(name: $0.name, value: $0.value.written) }
  }

  public static func == (one: RuleBook, other: RuleBook) -> Bool { one.listing == other.listing }
}

/// A rule of any kind, in a list of those that the settings may change.
public struct AnyRule: Sendable {
  public let table: String
  private let read: @Sendable (inout TableReader, inout RuleBook) -> Void

  public init<Value>(_ rule: Rule<Value>) {
    table = rule.table
    read = { reader, book in
      book.set(rule, to: reader.read(rule.key, as: rule.kind, else: rule.standard))
    }
  }

  package func read(from reader: inout TableReader, into book: inout RuleBook) {
    read(&reader, &book)
  }
}
