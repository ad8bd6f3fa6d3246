package import Config
package import JobKit

/// What the settings can have a job do in SQL: the words of `kind`.
package enum SQLJobKind: String, CaseIterable, SettingsJobKind {
  /// Deletes the rows that match.
  case delete
  /// Gives columns of the rows that match new values.
  case set
  /// Runs a statement that names the keys of the rows that match.
  case statement

  package var word: String { rawValue }

  package func read(
    _ name: JobName, from table: inout TableReader, at position: SourcePosition
  ) -> (any SettingsJob)? {
    var reader = RowJobReader(name: name, kind: self, table: table, position: position)
    defer { table = reader.table }
    return reader.read()
  }
}
