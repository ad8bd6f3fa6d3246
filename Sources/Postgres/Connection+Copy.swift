extension Connection {
  /// Writes rows into `table` by COPY, the fastest way in; returns how many.
  ///
  /// Each value must have exactly the type of its column: `Int` is bigint, `Int32` is integer. When
  /// `write` throws, or the server finds an error in any row, nothing is written.
  @discardableResult
  public func copy(
    into table: Statement, columns: [String], within limit: Duration? = nil,
    _ write: (CopyRowWriter) throws -> Void
  ) throws -> Int {
    let names = columns.map { "\(identifier: $0)" as Statement }
    let statement: Statement =
      "COPY \(table) (\(names.joined(by: ", "))) FROM STDIN (FORMAT binary)"
    return try copyIn(statement, within: limit) { feed in
      let writer = try CopyRowWriter(feed, statement)
      try write(writer)
      try writer.writeEnd()
    }
  }

  /// Hands the rows of `query` to `receive` one by one by COPY, the fastest way out, in flat memory.
  ///
  /// The query has no parameters: COPY takes none. `limit` holds for each wait for the server.
  public func copy(
    rowsOf query: Statement, within limit: Duration? = nil, _ receive: (Row) throws -> Void
  ) throws {
    try fixingNames {
      let columns = try session.describe(query, limit: limit ?? statementLimit)
      var isFirst = true
      let statement: Statement = "COPY (\(query)) TO STDOUT (FORMAT binary)"
      try session.copyOut(statement, limit: limit ?? statementLimit) { data in
        let row = CopiedRow(data, columns: columns, isFirst: isFirst)
        isFirst = false
        if row.fieldCount >= 0 { try receive(Row(0, of: row)) }
      }
    }
  }

  /// Sends what `write` writes by the COPY … FROM STDIN in `statement`; returns the number of rows.
  @discardableResult
  public func copyIn(
    _ statement: Statement, within limit: Duration? = nil,
    _ write: (CopyFeed) throws -> Void
  ) throws -> Int {
    try fixingNames {
      try session.copyIn(statement, limit: limit ?? statementLimit, write)
    }
  }

  /// Hands what the COPY … TO STDOUT in `statement` returns to `receive`, a row at a time.
  public func copyOut(
    _ statement: Statement, within limit: Duration? = nil, _ receive: ([UInt8]) throws -> Void
  ) throws {
    try fixingNames {
      try session.copyOut(statement, limit: limit ?? statementLimit) { data in
        try receive(unsafe Array(data.bytes))
      }
    }
  }
}
