extension PostgresError: CustomStringConvertible {
  /// One sentence that says what failed, on what, why, and what to do or what happens next.
  public var description: String {
    switch self {
    case .unusable(let reason):
      reason
    case .cannotReach(let server, let reason, let sqlState):
      "cannot reach \(server): \(reason); \(Self.remedy(for: sqlState))"
    case .refused(let server, let reason, let sqlState):
      "\(server) refuses the connection: \(reason)"
        + (sqlState.map { " (SQLSTATE \($0))" } ?? "")
        + "; check user, password, database and TLS settings"
    case .lost(let server, let reason, let statement):
      "lost the connection to \(server) in '\(statement)': \(reason); \(Self.outcome(of: statement))"
    case .unsendable(let problem, let parameter, let statement):
      "cannot send parameter \(parameter) of '\(statement)': \(problem)"
    case .unreadable(let column):
      "\(column)"
    case .unexpected(let what, let statement):
      "unexpected result of '\(statement)': \(what)"
    case .misuse(let what):
      what
    default:
      refusal
    }
  }

  /// What Postgres answered to a statement.
  private var refusal: String {
    switch self {
    case .retryable(let report):
      "another transaction got in the way of \(report); try the transaction again"
    case .constraint(let report):
      "\(report.place) refuses \(report)"
    case .deadline(.some(let limit), let statement):
      "'\(statement)' took longer than \(limit) and was cancelled"
    case .deadline(nil, let statement):
      "'\(statement)' took longer than the server's statement_timeout and was cancelled"
    case .cancelled(let statement):
      "'\(statement)' was cancelled"
    case .rolledBack:
      "the transaction was rolled back at COMMIT because a statement in it had failed"
    default:
      "cannot run \(report.map { "\($0)" } ?? "the statement")"
    }
  }

  /// What to do about a server that cannot be reached.
  private static func remedy(for sqlState: String?) -> String {
    switch sqlState {
    case "53300":
      "it has no connection left: raise max_connections or lower 'workers' ('worker doctor --only"
        + " connections' counts them)"
    case "57P03": "it is starting or shutting down: wait until it has started"
    default: "check that it runs and that the address is right"
    }
  }

  /// What is known about the work of a statement in which the connection was lost.
  private static func outcome(of statement: String) -> String {
    statement == "COMMIT"
      ? "whether the transaction is committed is unknown"
      : "an open transaction is rolled back, and whether a statement outside one took effect "
        + "is unknown"
  }
}

extension ServerReport {
  /// The constraint and the table, or the column for a constraint without a name.
  fileprivate var place: String {
    let table = table.map { "'\($0)'" } ?? "a domain"
    guard let constraint else { return "column '\(self.table ?? "").\(column ?? "")'" }
    return "constraint '\(constraint)' on \(table)"
  }
}
