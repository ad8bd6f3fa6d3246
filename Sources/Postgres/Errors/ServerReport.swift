/// What Postgres said when it refused a statement.
public struct ServerReport: Sendable, Equatable {
  /// The five characters that name the kind of error, such as `23505`.
  public var sqlState: String

  /// The error in one line.
  public var message: String

  /// More about it; may quote rows, so it is no part of any description here.
  public var detail: String?

  /// What Postgres proposes to do.
  public var hint: String?

  /// Where it happened: the function and the line, or the line of a COPY.
  public var context: String?

  /// The constraint that was violated.
  public var constraint: String?

  /// The schema of the table.
  public var schema: String?

  /// The table that the error is about.
  public var table: String?

  /// The column that the error is about.
  public var column: String?

  /// The role that asked, when it may not have what it asked for.
  public var role: String?

  /// Why nothing may be written, where the server has told that.
  public var readOnly: ReadOnly?

  /// Who seems to hold the lock that was waited for.
  public var holder: LockHolder?

  /// How often the chunk was tried in all that did not get the lock.
  public var tries: Int?

  /// The first line of the statement.
  public var statement: String

  /// All of the statement, where it waited for a lock too long.
  ///
  /// Its tables tell who may hold the lock. It is never shown.
  var whole: String?

  /// What Postgres said about `statement`.
  public init(sqlState: String, message: String, statement: String) {
    self.sqlState = sqlState
    self.message = message
    self.statement = statement
  }
}

extension ServerReport {
  /// The SQLSTATE of who may not do what it asked for.
  static let insufficientPrivilege = "42501"

  /// The SQLSTATE of who asks a table that is not there.
  static let undefinedTable = "42P01"

  /// The SQLSTATE of a row that refers to one that is not there.
  static let foreignKeyViolation = "23503"

  /// The SQLSTATE of who would write where nothing may be written.
  static let readOnly = "25006"

  /// The SQLSTATE of who waited for a lock for as long as it may.
  static let lockNotAvailable = "55P03"
}

extension ServerReport {
  /// Why a session may only read.
  public enum ReadOnly: Sendable, Equatable {
    case standby

    /// `default_transaction_read_only` is on, for the role, the database or the server.
    case setting

    /// As a sentence goes on that says what could not be written.
    fileprivate var words: String {
      switch self {
      case .standby: ": the server is a standby"
      case .setting: ": default_transaction_read_only is on"
      }
    }
  }

  /// The cause alone, in one line.
  var cause: String {
    let asker = role.map { ", as role '\($0)'" } ?? ""
    let holder = holder.map { "; held by \($0.account)" } ?? ""
    let tried = tries.map { "; tried \($0) times" } ?? ""
    let place = function.map { ", raised in the function '\($0)'" } ?? ""
    return "\(message.inOneLine)\(asker) (SQLSTATE \(sqlState))\(place)"
      + "\(readOnly?.words ?? "")\(holder)\(tried)"
  }

  /// The function in whose body the error arose, such as that of a trigger: `shop.check_it()`.
  ///
  /// The innermost comes first. Of the other lines nothing is shown: they may quote rows.
  public var function: String? {
    context?.split(whereSeparator: \.isNewline).lazy.compactMap(Self.function).first
  }

  /// What is named by `PL/pgSQL function shop.check_it() line 3 at RAISE`, or by `SQL function "f" statement 1`.
  ///
  /// The body of a DO, which stands in the statement itself, has a name without parentheses.
  private static func function(in line: Substring) -> String? {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count == 3, words[0] == "SQL" || words[0].hasPrefix("PL/"), words[1] == "function"
    else { return nil }
    if words[2].first == "\"" { return words[2].split(separator: "\"").first.map(String.init) }
    return words[2].firstIndex(of: ")").map { String(words[2][...$0]) }
  }

  /// Whether the cause names what it is about, so that the statement would only be in the way.
  private var saysItAll: Bool {
    sqlState.hasPrefix("53") || holder != nil || function != nil
      || [Self.insufficientPrivilege, Self.readOnly, Self.undefinedTable].contains(sqlState)
  }
}

extension ServerReport: CustomStringConvertible {
  /// The cause, then what Postgres proposes, and last and short the statement where it helps.
  public var description: String {
    let proposal = hint.map { "; hint: \($0.inOneLine)" } ?? ""
    return cause + proposal + (saysItAll ? "" : ", in \(statement.asStatement)")
  }
}

extension String {
  /// The beginning of a statement in quotes.
  var asStatement: String {
    "'\(count <= 60 ? self : prefix(59) + "…")'"
  }
}

extension String {
  /// The text with spaces in the place of line ends, and nothing at its end.
  var inOneLine: String {
    split { $0.isNewline || $0 == "\t" }.joined(separator: " ")
  }
}
