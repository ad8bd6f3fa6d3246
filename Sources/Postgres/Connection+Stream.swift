extension Connection {
  /// Hands the rows of a statement to `receive` one by one, in flat memory.
  ///
  /// `limit` holds for each wait for the server. When `receive` throws, the statement is cancelled and
  /// the error goes on to the caller; the connection can be used again, but a transaction has failed.
  public func stream(
    _ statement: Statement, within limit: Duration? = nil, _ receive: (Row) throws -> Void
  ) throws {
    try fixingNames {
      try session.stream(statement, limit: limit ?? statementLimit) { row in
        try receive(row)
        return .more
      }
    }
  }

  /// Hands rows to `receive` one by one until it has `enough`.
  ///
  /// The rest is then cancelled. Inside a transaction, which a cancel would end, it is read and
  /// dropped instead: a LIMIT is cheaper there.
  public func streamUntilEnough(
    _ statement: Statement, within limit: Duration? = nil,
    _ receive: (Row) throws -> StreamStep
  ) throws {
    try fixingNames {
      try session.stream(statement, limit: limit ?? statementLimit, receive)
    }
  }
}

extension Connection {
  /// Does `work` as it is, or in a transaction where names have to be fixed and none is open: neither a stream nor a
  /// COPY can have another statement before it in the same round trip.
  func fixingNames<Value>(_ work: () throws -> Value) throws -> Value {
    guard fixesNames, !isInTransaction else { return try work() }
    return try transaction { _ in try work() }
  }
}
