internal import Postgres

extension PostgresError {
  /// How the program ends that cannot go on for this.
  ///
  /// Who is not let in, or may not do what it needs, is not helped by other settings alone: the server may
  /// let it in tomorrow. What others hold, or the server lacks, is no mistake of this program.
  var exitCode: ExitCode {
    switch self {
    case .unusable: .configuration
    case .refused: .notPermitted
    case _ where isForbidden: .notPermitted
    case .cannotReach, .lost: .databaseUnreachable
    case .retryable: .refusedForNow
    default: remedy == nil ? .internalError : .refusedForNow
    }
  }

  /// What went wrong, and what whoever reads it can do about that.
  var sentence: String {
    guard !isForbidden else {
      return "\(self); connect as the role of 'database.worker_role', or let the owner of the"
        + " ledger name this one there and run 'worker migrate up'"
    }
    return remedy.map { "\(self); \($0)" } ?? description
  }

  /// What to do about what passes with time or with somebody's help; nothing about anything else.
  private var remedy: String? {
    switch self {
    case .deadline(.some, _):
      "the database is busy, or somebody holds a lock that this needs: try again, or raise"
        + " 'database.statement_timeout'"
    case .deadline(nil, _):
      "the database is busy, or somebody holds a lock that this needs: try again, or raise that"
        + " limit"
    case .cancelled: "somebody ended it at the server: try again"
    case .failed(let report): Self.remedy(for: report)
    default: nil
    }
  }

  private static func remedy(for report: ServerReport) -> String? {
    switch report.sqlState {
    case "25006":
      "the server only reads, as a standby does: let 'database.url' name the primary, or write"
        + " target_session_attrs=read-write into it, and try again"
    case "55P03": "somebody holds that lock, such as a migration: try again when it is over"
    case "55006": "somebody uses it: try again when that is over"
    case let state where state.hasPrefix("53"):
      "the server has no disk, memory or connection left for it: see its log, make room there, and"
        + " try again"
    default: nil
    }
  }
}
