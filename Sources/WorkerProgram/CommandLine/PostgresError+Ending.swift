internal import Postgres

extension PostgresError {
  /// How the program ends that cannot go on for this.
  ///
  /// Who is not let in, or may not do what it needs, is not helped by other settings alone: the server may
  /// let it in tomorrow. What others hold, have dropped or not made yet, or the server lacks, is no mistake of
  /// this program.
  var exitCode: ExitCode {
    switch self {
    case .unusable: .configuration
    case .refused(_, _, sqlState: Self.noSuchDatabase): .refusedForNow
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
    case "25006": remedy(forReadOnly: report.readOnly)
    case "55P03": remedy(forLockOf: report.holder)
    case "42P01", "42703", "42883", "3F000":
      "somebody has changed the schema: put that back, or see 'worker migrate status' and 'worker"
        + " doctor'"
    case "42P06", "42P07", "42701", "42710", "42723":
      "something that the worker has not made stands there under this name: rename it or drop it, and"
        + " try again"
    case "55006": "somebody uses it: try again when that is over"
    case let state where state.hasPrefix("P0") && report.function != nil:
      "see to what that function refuses, and try again"
    case let state where state.hasPrefix("53"):
      "the server has no disk, memory or connection left for it: see its log, make room there, and"
        + " try again"
    default: nil
    }
  }

  private static func remedy(forLockOf holder: LockHolder?) -> String {
    holder.map { "try again when that is over, or end it with \($0.end)" }
      ?? "somebody holds that lock, such as a migration: try again when it is over, or look for it"
      + " in pg_stat_activity"
  }

  /// What to do about a session that may only read, by what makes it so.
  private static func remedy(forReadOnly cause: ServerReport.ReadOnly?) -> String {
    let primary =
      "let 'database.url' name the primary, or write target_session_attrs=read-write into it"
    let setting =
      "switch it off for this role or database ('\\drds' in psql shows where), or in postgresql.conf"
    return switch cause {
    case .standby: "\(primary), and try again"
    case .setting: "\(setting), and try again"
    case nil:
      "the server is a standby (\(primary)), or default_transaction_read_only is on (\(setting)), and"
        + " try again"
    }
  }

  /// The SQLSTATE of a database that is not there.
  private static let noSuchDatabase = "3D000"
}
