/// One row of a result, whose values are read by the name or the place of their column.
///
/// `let id = try row["id", as: Int.self]`, or `let id: Int = try row["id"]`. A place, counted from 0,
/// spares hot loops the search for the name.
public struct Row {
  private let source: RowSource
  private let row: Int

  init(_ row: Int, of source: RowSource) {
    self.row = row
    self.source = source
  }

  /// The names of the columns, in order.
  public var columnNames: [String] { source.columns.names }

  /// The value of the column called `name`.
  public subscript<Value: PostgresValue>(
    _ name: String, as type: Value.Type = Value.self
  ) -> Value {
    get throws(PostgresError) {
      try value(of: try source.columns.index(of: name))
    }
  }

  /// The value of the column at `index`, counted from 0.
  public subscript<Value: PostgresValue>(
    _ index: Int, as type: Value.Type = Value.self
  ) -> Value {
    get throws(PostgresError) {
      try value(of: try source.columns.index(index))
    }
  }

  private func value<Value: PostgresValue>(of column: Int) throws(PostgresError) -> Value {
    do throws(ValueProblem) {
      return try source.value(row: row, column: column)
    } catch {
      throw .unreadable(
        UnreadableColumn(
          column: source.columns.names[column], type: source.columns.types[column],
          swiftType: "\(Value.self)", problem: error, statement: source.columns.statement.firstLine)
      )
    }
  }
}
