package import Config
package import JobKit

/// A job of the settings that runs a program: `kind = "command"`.
package struct CommandJobKind: SettingsJobKind {
  package init() {}

  package var word: String { "command" }

  package func read(
    _ name: JobName, from table: inout TableReader, at position: SourcePosition
  ) -> (any SettingsJob)? {
    var reader = CommandJobReader(name: name, table: table, position: position)
    defer { table = reader.table }
    return reader.read()
  }
}
