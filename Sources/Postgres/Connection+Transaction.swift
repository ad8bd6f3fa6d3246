extension Connection {
  /// Runs `work` in a transaction: committed when it returns, rolled back when it throws.
  ///
  /// `statementLimit` and `lockLimit` bind the server itself, for this transaction alone. A
  /// transaction in a transaction is refused; `savepoint` is for parts that may fail. A closure
  /// that begins with `{ connection throws(PostgresError) in` lets only such errors through.
  @discardableResult
  public func transaction<Value>(
    isolation: Isolation = .readCommitted, readOnly: Bool = false,
    statementLimit: Duration? = nil, lockLimit: Duration? = nil,
    _ work: (borrowing Connection) throws -> Value
  ) throws -> Value {
    try begin(isolation, readOnly: readOnly, statementLimit, lockLimit)
    let value: Value
    do {
      value = try work(self)
    } catch {
      session.rollBack()
      throw error
    }
    try session.commit(limit: self.statementLimit)
    return value
  }

  /// Runs `work` in a transaction, as above, when it throws errors of Postgres only.
  @discardableResult
  public func transaction<Value>(
    isolation: Isolation = .readCommitted, readOnly: Bool = false,
    statementLimit: Duration? = nil, lockLimit: Duration? = nil,
    _ work: (borrowing Connection) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    try begin(isolation, readOnly: readOnly, statementLimit, lockLimit)
    let value: Value
    do throws(PostgresError) {
      value = try work(self)
    } catch {
      session.rollBack()
      throw error
    }
    try session.commit(limit: self.statementLimit)
    return value
  }

  /// Runs a part of a transaction that may fail: when `work` throws, only its own changes are undone.
  @discardableResult
  public func savepoint<Value>(
    _ work: (borrowing Connection) throws -> Value
  ) throws -> Value {
    guard isInTransaction else {
      throw PostgresError.misuse("a savepoint needs a transaction around it")
    }
    try run("SAVEPOINT part")
    let value: Value
    do {
      value = try work(self)
    } catch {
      session.rollBackToSavepoint()
      throw error
    }
    try run("RELEASE SAVEPOINT part")
    return value
  }

  private func begin(
    _ isolation: Isolation, readOnly: Bool, _ statementLimit: Duration?, _ lockLimit: Duration?
  ) throws(PostgresError) {
    var script = "BEGIN ISOLATION LEVEL \(isolation.rawValue)\(readOnly ? " READ ONLY" : "")"
    if let statementLimit {
      script += "; SET LOCAL statement_timeout = \(max(1, statementLimit.milliseconds))"
    }
    if let idleLimit {
      let milliseconds = max(1, idleLimit.milliseconds)
      script += "; SET LOCAL idle_in_transaction_session_timeout = \(milliseconds)"
    }
    if let lockLimit { script += "; SET LOCAL lock_timeout = \(max(1, lockLimit.milliseconds))" }
    try session.begin(Statement(verbatim: script), limit: self.statementLimit)
  }
}

/// How much a transaction sees of others that run at the same time.
public enum Isolation: String, Sendable {
  /// Each statement sees what was committed before it began.
  case readCommitted = "READ COMMITTED"

  /// The whole transaction sees what was committed before its first statement.
  case repeatableRead = "REPEATABLE READ"

  /// As if transactions ran one after the other; any of them may fail as `retryable`.
  case serializable = "SERIALIZABLE"
}
