/// What a stream does after a row.
public enum StreamStep: Sendable {
  case more
  case enough
}

extension Connection {
  /// Hands the rows of a statement to `receive` one by one, in flat memory.
  ///
  /// `limit` holds for each wait for the server. When `receive` throws, the statement is cancelled and
  /// the error goes on to the caller; the connection can be used again, but a transaction has failed.
  public func stream(
    _ statement: Statement, within limit: Duration? = nil, _ receive: (Row) throws -> Void
  ) throws {
    try session.stream(statement, limit: limit ?? statementLimit) { row in
      try receive(row)
      return .more
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
    try session.stream(statement, limit: limit ?? statementLimit, receive)
  }
}
