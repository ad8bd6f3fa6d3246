/// All rows that a statement returned.
public struct Rows: RandomAccessCollection {
  private let result: ResultSet

  init(_ result: ResultSet) {
    self.result = result
  }

  public var startIndex: Int { 0 }

  public var endIndex: Int { result.rowCount }

  public subscript(index: Int) -> Row {
    precondition(indices.contains(index), "a row is read by an index of the result")
    return Row(index, of: result)
  }

  /// The number of rows that the statement inserted, changed, deleted, copied or returned.
  public var affected: Int { result.affected }

  /// The names of the columns, in order.
  public var columnNames: [String] { result.columns.names }

  /// The only row of a result that must have exactly one.
  public var only: Row {
    get throws(PostgresError) {
      guard count == 1 else {
        throw .unexpected(
          "it has \(count) rows, not one", statement: result.columns.statement.firstLine)
      }
      return self[0]
    }
  }
}
