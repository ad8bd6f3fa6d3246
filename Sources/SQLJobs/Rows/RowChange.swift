internal import Postgres

/// What a job does with the rows that match.
enum RowChange: Sendable {
  case delete
  case set(SQLText)

  /// Whatever a statement says that names the keys of the rows.
  case statement(SQLText)

  var text: SQLText? {
    switch self {
    case .delete: nil
    case .set(let text), .statement(let text): text
    }
  }

  /// What the rows are counted as.
  var counter: String {
    switch self {
    case .delete: "deleted"
    case .set: "changed"
    case .statement: "written"
    }
  }

  /// What a run would do with a row.
  var verb: String {
    switch self {
    case .delete: "delete"
    case .set: "change"
    case .statement: "choose"
    }
  }

  /// What is needed in the table of the keys.
  var rights: [String] {
    switch self {
    case .delete: ["SELECT", "DELETE"]
    case .set: ["SELECT", "UPDATE"]
    case .statement: ["SELECT"]
    }
  }
}

extension RowWalk {
  /// The statement that changes the rows that are picked, and gives for each of what kind it is.
  ///
  /// The condition stands in it again: a row that somebody changes meanwhile is judged anew, as it is then. A whole
  /// statement judges for itself.
  func change(givingKind kind: Statement) -> Statement {
    let rest: Statement = """
      WHERE (\(table.columns())) IN (SELECT \(table.columns()) FROM picked) AND \(condition)
        RETURNING \(kind)
      """
    switch job.change {
    case .delete: return "DELETE FROM \(table.statement) \(rest)"
    case .set(let text):
      return "UPDATE \(table.statement) SET \(text.statement(with: values)) \(rest)"
    case .statement(let text) where text.givesRows: return text.statement(with: values)
    case .statement(let text): return "\(text.statement(with: values)) RETURNING \(kind)"
    }
  }
}

extension SQLText {
  /// Whether a statement says itself what it returns.
  fileprivate var givesRows: Bool {
    var depth = 0
    return tokens.contains { token in
      if token.isSign("(") { depth += 1 }
      if token.isSign(")") { depth -= 1 }
      return depth == 0 && token.isWord("returning")
    }
  }
}
