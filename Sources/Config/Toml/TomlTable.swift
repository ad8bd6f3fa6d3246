/// The keys of a table in the order in which they were written.
public struct TomlTable: Sendable, Equatable {
  public let entries: [Entry]

  package init(entries: [Entry]) {
    self.entries = entries
  }

  /// A key, where it was written, and its value.
  public struct Entry: Sendable, Equatable {
    public let key: String
    public let position: SourcePosition
    public let value: TomlValue
  }

  public subscript(key: String) -> TomlValue? {
    entries.first { $0.key == key }?.value
  }
}
