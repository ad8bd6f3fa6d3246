/// A value in a TOML document, and where it was written.
public struct TomlValue: Sendable, Equatable {
  public let position: SourcePosition
  public let content: Content

  public enum Content: Sendable, Equatable {
    case string(String)
    case integer(Int)
    case float(Double)
    case boolean(Bool)
    case dateTime(String)
    case array([TomlValue])
    case table(TomlTable)
  }
}

extension TomlValue.Content {
  /// What an operator would call a value of this kind, as in "'workers' is a string".
  public var kindName: String {
    switch self {
    case .string: "a string"
    case .integer: "a whole number"
    case .float: "a number with a fraction"
    case .boolean: "a boolean"
    case .dateTime: "a date or time"
    case .array: "a list"
    case .table: "a table"
    }
  }

  /// The value as a refusal quotes it.
  package var quoted: String {
    switch self {
    case .string(let text): text.inQuotes
    case .integer(let integer): "\(integer)"
    case .float(let number): "\(number)"
    case .boolean(let boolean): "\(boolean)"
    case .dateTime(let text): text
    case .array, .table: kindName
    }
  }
}
