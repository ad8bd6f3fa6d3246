internal import CPostgres

/// The owner of one result of libpq.
@safe final class ResultSet: RowSource {
  private let pointer: OpaquePointer

  let status: ExecStatusType

  let rowCount: Int

  /// Takes over the result at `pointer`; rows of one stream share the `columns` of the first.
  @unsafe init(_ pointer: OpaquePointer, columns: Columns?, statement: Statement) {
    unsafe self.pointer = pointer
    status = unsafe PQresultStatus(pointer)
    rowCount = unsafe Int(PQntuples(pointer))
    unsafe super.init(columns: columns ?? Columns(of: pointer, statement: statement))
  }

  deinit {
    unsafe PQclear(pointer)
  }

  @unsafe override func bytes(
    row: Int, column: Int
  ) throws(ValueProblem) -> UnsafeRawBufferPointer? {
    let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
    guard unsafe PQgetisnull(pointer, row, column) == 0 else { return nil }
    return unsafe UnsafeRawBufferPointer(
      start: PQgetvalue(pointer, row, column), count: Int(PQgetlength(pointer, row, column)))
  }

  /// The number of rows that the command says it touched.
  var affected: Int {
    unsafe Int(String(cString: PQcmdTuples(pointer))) ?? 0
  }

  /// What the command calls itself when it is done, such as `COMMIT`.
  var commandTag: String {
    unsafe String(cString: PQcmdStatus(pointer))
  }

  /// Whether the result is an error.
  var isError: Bool {
    status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE
  }

  /// One field of an error, or nil when the error does not have it.
  func errorField(_ code: UnicodeScalar) -> String? {
    unsafe PQresultErrorField(pointer, Int32(code.value)).map { unsafe String(cString: $0) }
  }

  /// The whole error as libpq words it, for errors that have no fields.
  var errorMessage: String {
    unsafe String(cString: PQresultErrorMessage(pointer))
  }
}

extension Columns {
  @unsafe fileprivate convenience init(of result: OpaquePointer, statement: Statement) {
    let places = unsafe 0..<PQnfields(result)
    self.init(
      // The columns of a COPY have no names.
      names: places.map { unsafe PQfname(result, $0).map { unsafe String(cString: $0) } ?? "" },
      types: places.map { unsafe PostgresType(oid: PQftype(result, $0)) },
      statement: statement)
  }
}
