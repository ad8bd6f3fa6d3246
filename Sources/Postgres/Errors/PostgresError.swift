/// Why Postgres did not do what it was asked.
public enum PostgresError: Error, Equatable {
  /// The connection string, or what it points to, cannot be used; nothing was sent.
  case unusable(String)

  /// No server answered, or none that may be used; a later try may find one.
  ///
  /// The SQLSTATE is that of all addresses, where each gave the same.
  case cannotReach(server: String, reason: String, sqlState: String? = nil)

  /// The server answered and does not let this program in; it will not until somebody acts.
  case refused(server: String, reason: String, sqlState: String?)

  /// The connection is gone, and with it the transaction unless it was just being committed.
  case lost(server: String, reason: String, statement: String)

  /// A serialization failure or a deadlock: the same transaction, tried again, can succeed.
  case retryable(ServerReport)

  /// A constraint of the schema was violated.
  case constraint(ServerReport)

  /// The statement took longer than it may; the server has ended it.
  ///
  /// The limit is nil when it was one of the server, such as `statement_timeout`.
  case deadline(Duration?, statement: String)

  /// The statement was cancelled, and the server has ended it.
  case cancelled(statement: String)

  /// Any other error of a statement.
  case failed(ServerReport)

  /// COMMIT found the transaction failed, because an error in it was caught; nothing was kept.
  case rolledBack

  /// A value cannot be sent as a parameter.
  case unsendable(String, parameter: Int, statement: String)

  /// A value of the result cannot be read.
  case unreadable(UnreadableColumn)

  /// The result has other rows or columns than the program asks for.
  case unexpected(String, statement: String)

  /// The program uses the connection in a way that cannot work.
  case misuse(String)
}

extension PostgresError {
  /// What Postgres said, when it was Postgres that refused.
  public var report: ServerReport? {
    switch self {
    case .retryable(let report), .constraint(let report), .failed(let report): report
    default: nil
    }
  }

  /// Whether the same transaction, tried again on the same connection, can succeed.
  public var isRetryable: Bool {
    if case .retryable = self { true } else { false }
  }

  /// Whether a lock was not had in time: the same transaction, tried again, asks for it anew and holds
  /// nothing until then.
  public var isLockTimeout: Bool {
    report?.sqlState == ServerReport.lockNotAvailable
  }

  /// The same error; of a lock that was not had in time, with how often the transaction was tried.
  package func afterTries(_ count: Int) -> PostgresError {
    guard isLockTimeout, count > 1, case .failed(var report) = self else { return self }
    report.tries = count
    return .failed(report)
  }

  /// Whether a row refers to another that is not there: where that was there when it was read, the same
  /// transaction, tried again, does not find it any more.
  public var isOfMissingRow: Bool {
    report?.sqlState == ServerReport.foreignKeyViolation
  }

  /// Whether the role of the connection may not do what was asked.
  public var isForbidden: Bool {
    report?.sqlState == ServerReport.insufficientPrivilege
  }

  /// Whether only a new connection can go on: a server that has become a standby keeps those that it has, and
  /// another writes.
  public var needsNewConnection: Bool {
    switch self {
    case .cannotReach, .refused, .lost: true
    default: report?.sqlState == ServerReport.readOnly
    }
  }
}

extension PostgresError {
  /// The error of a value that cannot be sent as parameter `number` of `statement`.
  init(_ problem: ValueProblem, parameter number: Int, of statement: Statement) {
    let reason = if case .invalid(let reason) = problem { reason } else { "it has no value" }
    self = .unsendable(reason, parameter: number, statement: statement.firstLine)
  }
}
