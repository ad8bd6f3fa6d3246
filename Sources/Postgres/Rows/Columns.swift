/// The columns of a result: found once, shared by all its rows.
@usableFromInline
final class Columns: Sendable {
  @usableFromInline let names: [String]
  @usableFromInline let types: [PostgresType]

  /// The statement that returned them, for errors.
  let statement: Statement

  init(names: [String], types: [PostgresType], statement: Statement) {
    self.names = names
    self.types = types
    self.statement = statement
  }

  /// The place of the only column called `name`.
  func index(of name: String) throws(PostgresError) -> Int {
    guard let index = names.firstIndex(of: name) else {
      let known = names.map { "'\($0)'" }.joined(separator: ", ")
      throw .unexpected(
        "there is no column '\(name)', only \(known)", statement: statement.firstLine)
    }
    guard !names[(index + 1)...].contains(name) else {
      throw .unexpected(
        "two columns are called '\(name)': name one of them with AS", statement: statement.firstLine
      )
    }
    return index
  }

  /// The place `index`, when there is such a column.
  @inlinable
  func index(_ index: Int) throws(PostgresError) -> Int {
    guard types.indices.contains(index) else { throw noColumn(index) }
    return index
  }

  @usableFromInline
  func noColumn(_ index: Int) -> PostgresError {
    .unexpected(
      "there is no column \(index), only \(names.count), counted from 0",
      statement: statement.firstLine)
  }
}
