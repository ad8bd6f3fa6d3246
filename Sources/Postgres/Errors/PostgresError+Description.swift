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
        + "; \(Self.remedy(forRefusal: reason, sqlState))"
    case .lost(let server, let reason, let statement):
      "lost the connection to \(server): \(reason), in \(statement.asStatement);"
        + " \(Self.outcome(of: statement))"
    case .unsendable(let problem, let parameter, let statement):
      "cannot send parameter \(parameter) of \(statement.asStatement): \(problem)"
    case .unreadable(let column):
      "\(column)"
    case .unexpected(let what, let statement):
      "unexpected result: \(what), in \(statement.asStatement)"
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
      "another transaction got in the way: \(report); try the transaction again"
    case .constraint(let report):
      (report.place.map { "\($0) refuses it: " } ?? "") + "\(report)"
    case .deadline(let limit, let statement):
      "the statement took longer than \(limit?.inWords ?? "the server's statement_timeout") and was"
        + " cancelled: \(statement.asStatement)"
    case .cancelled(let statement):
      "the statement was cancelled: \(statement.asStatement)"
    case .rolledBack:
      "the transaction was rolled back at COMMIT because a statement in it had failed"
    default:
      report.map { "\($0)" } ?? "the statement failed"
    }
  }

  /// What to do about a server that lets nobody in.
  private static func remedy(forRefusal reason: String, _ sqlState: String?) -> String {
    guard sqlState == noSuchDatabase else {
      return "check user, password, database and TLS settings"
    }
    let name = reason.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
    let isPlain =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == 0x5f
      }
    return "create it with 'createdb\(isPlain ? " \(name)" : "")', or name another one in"
      + " 'database.url'"
  }

  /// The SQLSTATE of a database that is not there.
  static let noSuchDatabase = "3D000"

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
  /// What refuses the row: the constraint and its table, or the column, or the table that has no partition for it.
  ///
  /// Nothing for a violation that names none of them, such as one that a trigger raises by itself.
  fileprivate var place: String? {
    if let constraint {
      return "constraint '\(constraint)' on \(table.map { "'\($0)'" } ?? "a domain")"
    }
    if let column { return "column '\(table.map { "\($0)." } ?? "")\(column)'" }
    return table.map { "table '\($0)'" }
  }
}
