extension Connection {
  /// Runs `work` in a transaction: committed when it returns, rolled back when it throws.
  ///
  /// `statementLimit` and `lockLimit` bind the server itself, for this transaction alone; without the
  /// latter it has the connection's. One that is not durable commits without waiting for the disk: a crash
  /// of the server may forget it, whole. A transaction in a transaction is refused; `savepoint` is for
  /// parts that may fail. A closure that begins with `{ connection throws(PostgresError) in` lets only
  /// such errors through. Postgres compiles no statement of it: what a chunk asks takes less time than that.
  @discardableResult
  public func transaction<Value>(
    isolation: Isolation = .readCommitted, statementLimit: Duration? = nil,
    lockLimit: Duration? = nil, isDurable: Bool = true,
    _ work: (borrowing Connection) throws -> Value
  ) throws -> Value {
    try begin(isolation, isDurable: isDurable, statementLimit, lockLimit)
    let value: Value
    do {
      value = try work(self)
    } catch {
      session.rollBack()
      throw session.namingHolder(in: error)
    }
    try session.commit(limit: self.statementLimit)
    return value
  }

  /// Runs `work` in a transaction, as above, when it throws errors of Postgres only.
  @discardableResult
  public func transaction<Value>(
    isolation: Isolation = .readCommitted, statementLimit: Duration? = nil,
    lockLimit: Duration? = nil, isDurable: Bool = true,
    _ work: (borrowing Connection) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    try begin(isolation, isDurable: isDurable, statementLimit, lockLimit)
    let value: Value
    do throws(PostgresError) {
      value = try work(self)
    } catch {
      session.rollBack()
      throw session.namingHolder(in: error)
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

  /// Runs `opening`, then `work` and then what it gives as `closing` in a transaction, as above.
  ///
  /// `opening` goes with the begin, and `closing` with the commit, in one round trip each. Statements that
  /// keep their plan are never planned anew in it.
  @discardableResult
  public func transaction<Value>(
    opening: [Statement], lockLimit: Duration? = nil, isDurable: Bool = true,
    _ work: (borrowing Connection, [Rows]) throws -> (value: Value, closing: [Statement])
  ) throws -> Value {
    let fixing = fixesNames ? [Statement(verbatim: Session.fixingNames)] : []
    let beginning: [Statement] =
      ["BEGIN ISOLATION LEVEL READ COMMITTED"] + fixing + [
        Self.settings(isDurable: isDurable, lockLimit ?? self.lockLimit, idleLimit: idleLimit)
      ]
    let rows = try session.begin(beginning, opening: opening, limit: statementLimit).map(Rows.init)
    let outcome: (value: Value, closing: [Statement])
    do {
      outcome = try work(self, rows)
    } catch {
      session.rollBack()
      throw session.namingHolder(in: error)
    }
    try session.commit(after: outcome.closing, limit: statementLimit)
    return outcome.value
  }

  /// The settings of a transaction that begins with its first statements.
  ///
  /// They are one statement that the server knows: one by one each would be parsed anew, and answered for itself.
  private static func settings(
    isDurable: Bool, _ lockLimit: Duration?, idleLimit: Duration?
  ) -> Statement {
    var settings: [Statement] = [
      "set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true)"
    ]
    if !isDurable { settings.append("set_config('synchronous_commit', 'off', true)") }
    if let lockLimit {
      let milliseconds = "\(max(1, lockLimit.milliseconds))"
      settings.append("set_config('lock_timeout', \(milliseconds), true)")
    }
    if let idleLimit {
      let milliseconds = "\(max(1, idleLimit.milliseconds))"
      settings.append("set_config('idle_in_transaction_session_timeout', \(milliseconds), true)")
    }
    let statement: Statement = "SELECT \(settings.joined(by: ", "))"
    return statement.keepingPlan
  }

  /// Begins a transaction that is never committed, under the limits of any other: for work that takes the
  /// whole connection.
  ///
  /// A script of `ROLLBACK` ends it, as does the end of the connection; and the server, when it hears nothing
  /// for too long.
  public func beginForShow() throws(PostgresError) {
    try begin(.readCommitted, isDurable: true, nil, nil)
  }

  private func begin(
    _ isolation: Isolation, isDurable: Bool, _ statementLimit: Duration?, _ lockLimit: Duration?
  ) throws(PostgresError) {
    let script = Self.beginning(
      isolation, isDurable: isDurable, statementLimit, lockLimit ?? self.lockLimit,
      idleLimit: idleLimit
    )
    var fixing = fixesNames ? [Session.fixingNames] : []
    // That statements alone go by kept plans must not decide how those of a transaction are planned.
    if session.isSet { fixing.append("SET LOCAL plan_cache_mode TO DEFAULT") }
    try session.begin(
      Statement(verbatim: (script + fixing).joined(separator: "; ")), limit: self.statementLimit)
  }

  private static func beginning(
    _ isolation: Isolation, isDurable: Bool, _ statementLimit: Duration?, _ lockLimit: Duration?,
    idleLimit: Duration?
  ) -> [String] {
    var beginning = ["BEGIN ISOLATION LEVEL \(isolation.rawValue)", "SET LOCAL jit = off"]
    if !isDurable { beginning.append("SET LOCAL synchronous_commit = off") }
    if let statementLimit {
      beginning.append("SET LOCAL statement_timeout = \(max(1, statementLimit.milliseconds))")
    }
    if let lockLimit {
      beginning.append("SET LOCAL lock_timeout = \(max(1, lockLimit.milliseconds))")
    }
    if let idleLimit {
      let milliseconds = max(1, idleLimit.milliseconds)
      beginning.append("SET LOCAL idle_in_transaction_session_timeout = \(milliseconds)")
    }
    return beginning
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
