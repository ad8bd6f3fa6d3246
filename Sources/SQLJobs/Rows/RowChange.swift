internal import Postgres

/// What a job does with the rows that match.
enum RowChange: Sendable {
  case delete
  case set(SQLText)

  /// What the rows are counted as.
  var counter: String {
    switch self {
    case .delete: "deleted"
    case .set: "changed"
    }
  }

  var rights: [String] {
    switch self {
    case .delete: ["SELECT", "DELETE"]
    case .set: ["SELECT", "UPDATE"]
    }
  }

  /// The beginning of the statement, up to its WHERE.
  func beginning(on table: SQLTable, with values: SQLValues) -> Statement {
    switch self {
    case .delete: "DELETE FROM \(table.statement)"
    case .set(let assignments):
      "UPDATE \(table.statement) SET \(assignments.statement(with: values))"
    }
  }
}
