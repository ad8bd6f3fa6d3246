internal import Postgres

/// How many rows of a table a transaction has written.
public struct TableChange: Sendable, Equatable {
  public let table: String
  public let inserted: Int
  public let updated: Int
  public let deleted: Int
}

extension TableChange: CustomStringConvertible {
  /// As in `insert 12 and update 3 rows in learning.streaks`.
  public var description: String {
    let numbers = [("insert", inserted), ("update", updated), ("delete", deleted)]
    let words = numbers.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " and ")
    return "\(words) row\(inserted + updated + deleted == 1 ? "" : "s") in \(table)"
  }
}

/// What the server counts of the transaction that goes on, table by table.
struct TableChanges {
  private let byTable: [String: TableChange]

  /// What has been written since the transaction began, and, before that, what the session has not reported
  /// to the server yet: a pooler lends sessions that others have used.
  static func sinceBegin(
    on connection: borrowing Connection
  ) throws(PostgresError) -> TableChanges {
    let rows = try connection.run(
      """
      SELECT schemaname || '.' || relname AS name, n_tup_ins, n_tup_upd, n_tup_del
      FROM pg_stat_xact_user_tables
      WHERE n_tup_ins + n_tup_upd + n_tup_del > 0 AND schemaname NOT LIKE 'pg\\_%'
      """)
    var found: [String: TableChange] = [:]
    for row in rows {
      let name: String = try row["name"]
      found[name] = TableChange(
        table: name, inserted: try row["n_tup_ins"], updated: try row["n_tup_upd"],
        deleted: try row["n_tup_del"])
    }
    return TableChanges(byTable: found)
  }

  /// The tables that changed since `earlier`, by name.
  func list(since earlier: TableChanges) -> [TableChange] {
    byTable.keys.sorted().compactMap { name in
      guard let now = byTable[name] else { return nil }
      let before = earlier.byTable[name]
      let change = TableChange(
        table: name, inserted: now.inserted - (before?.inserted ?? 0),
        updated: now.updated - (before?.updated ?? 0),
        deleted: now.deleted - (before?.deleted ?? 0))
      return change.inserted + change.updated + change.deleted > 0 ? change : nil
    }
  }
}
