/// One row of a result, whose values are read by the name or the place of their column.
///
/// `let id = try row["id", as: Int.self]`, or `let id: Int = try row["id"]`. A place, counted from 0,
/// spares hot loops the search for the name.
public struct Row {
  @usableFromInline let source: RowSource
  @usableFromInline let row: Int

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
  ///
  /// It is inlined all the way to the bytes: a type that is looked up for each value takes longer than to read it.
  @inlinable
  public subscript<Value: PostgresValue>(
    _ index: Int, as type: Value.Type = Value.self
  ) -> Value {
    get throws(PostgresError) {
      try value(of: try source.columns.index(index))
    }
  }

  /// The value of the column at `index`, or nothing where it is NULL.
  ///
  /// It is what the other subscript gives; but there the runtime looks up what an optional of the type is, for
  /// each value, and here its caller knows, as it is inlined.
  @inlinable
  public subscript<Value: PostgresValue>(
    _ index: Int, as type: Value?.Type = Value?.self
  ) -> Value? {
    get throws(PostgresError) {
      guard try !isNull(at: index, insteadOf: Value.self) else { return nil }
      return try self[index, as: Value.self]
    }
  }

  @inlinable
  func isNull<Value: PostgresValue>(
    at index: Int, insteadOf type: Value.Type
  ) throws(PostgresError) -> Bool {
    let column = try source.columns.index(index)
    do throws(ValueProblem) {
      return try source.isNull(row: row, column: column, insteadOf: type)
    } catch {
      throw unreadable(column, as: Value?.self, error)
    }
  }

  @inlinable
  func value<Value: PostgresValue>(of column: Int) throws(PostgresError) -> Value {
    do throws(ValueProblem) {
      return try source.value(row: row, column: column)
    } catch {
      throw unreadable(column, as: Value.self, error)
    }
  }

  @usableFromInline
  func unreadable<Value>(
    _ column: Int, as type: Value.Type, _ problem: ValueProblem
  ) -> PostgresError {
    .unreadable(
      UnreadableColumn(
        column: source.columns.names[column], type: source.columns.types[column],
        swiftType: "\(type)", problem: problem, statement: source.columns.statement.firstLine))
  }
}
