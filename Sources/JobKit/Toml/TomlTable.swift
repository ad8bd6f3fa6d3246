/// The keys of a table in the order in which they were written.
struct TomlTable: Sendable, Equatable {
  let entries: [Entry]

  /// A key, where it was written, and its value.
  struct Entry: Sendable, Equatable {
    let key: String
    let position: SourcePosition
    let value: TomlValue
  }

  subscript(key: String) -> TomlValue? {
    entries.first { $0.key == key }?.value
  }
}
