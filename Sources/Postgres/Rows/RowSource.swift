/// The memory that holds rows: a result of libpq, or one row of a COPY.
///
/// It lives as long as any row of it does.
@usableFromInline
class RowSource {
  @usableFromInline final let columns: Columns

  init(columns: Columns) {
    self.columns = columns
  }

  /// The bytes of one value, or nil when it is NULL.
  @usableFromInline
  @unsafe func bytes(
    row: Int, column: Int
  ) throws(ValueProblem) -> UnsafeRawBufferPointer? {
    nil
  }

  /// The value of one column in one row.
  @inlinable
  final func value<Value: PostgresValue>(
    row: Int, column: Int
  ) throws(ValueProblem) -> Value {
    let type = columns.types[column]
    guard Value.reads(type) else { throw .wrongType }
    guard let bytes = unsafe try bytes(row: row, column: column) else { return try null() }
    return unsafe try Value(reading: bytes.bytes, of: type)
  }

  /// Whether one column in one row is NULL, which is read as no value of this type.
  @inlinable
  final func isNull<Value: PostgresValue>(
    row: Int, column: Int, insteadOf type: Value.Type
  ) throws(ValueProblem) -> Bool {
    guard Value.reads(columns.types[column]) else { throw .wrongType }
    return unsafe try bytes(row: row, column: column) == nil
  }

  /// What NULL is read as.
  ///
  /// It stands apart, and is not inlined, because the runtime looks up the optional of a generic type before
  /// anything else of the function: for every value, most of which are not NULL.
  @inline(never)
  @usableFromInline
  final func null<Value: PostgresValue>() throws(ValueProblem) -> Value {
    guard let null = Value.null else { throw .null }
    return null
  }
}
