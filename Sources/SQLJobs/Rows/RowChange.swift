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
  /// Changes the rows that match behind a key, if there is one, up to the last of a chunk; nothing where the job has a
  /// statement of its own.
  ///
  /// It gives how many rows of each kind it has changed, where the job counts by kinds, and else no row. Each row is
  /// met on the way from key to key, where by a list of keys each would be looked up for itself.
  func change(
    after cursor: String?, through last: String, alike: Int, in share: Statement
  ) -> Statement? {
    let verb: Statement
    switch job.change {
    case .delete: verb = "DELETE FROM \(table.statement)"
    case .set(let text):
      verb = "UPDATE \(table.statement) SET \(text.statement(with: values))"
    case .statement: return nil
    }
    let change: Statement =
      "\(verb) WHERE \(isBetween(cursor, last, alike: alike)) AND \(share) AND \(condition)"
    guard let kind else { return change }
    return """
      WITH changed (kind) AS (
        \(change) RETURNING \(kind)
      )
      \(Self.counted) ORDER BY 1
      """
  }
}

extension SQLText {
  /// Whether a statement says itself what it returns.
  var givesRows: Bool {
    var depth = 0
    return tokens.contains { token in
      if token.isSign("(") { depth += 1 }
      if token.isSign(")") { depth -= 1 }
      return depth == 0 && token.isWord("returning")
    }
  }
}
