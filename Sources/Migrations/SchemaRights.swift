public import Postgres

/// What each role may do with each table of a schema.
///
/// A right is written as in a GRANT: `SELECT`, or `UPDATE (state, reason)` where some columns suffice.
public struct SchemaRights: Sendable {
  private let schema: String
  package let ofWorker: [(table: String, rights: [String])]
  private let ofReader: [(table: String, rights: [String])]

  /// The rights to tables of `schema`: a worker has those listed, a reader may look at the same tables,
  /// at those of `columns` at these columns alone.
  public init(
    in schema: String, ofWorker: [(table: String, rights: [String])],
    showingReader columns: [String: [String]] = [:]
  ) {
    self.schema = schema
    self.ofWorker = ofWorker
    ofReader = ofWorker.map { table, _ in
      (table, [columns[table].map { "SELECT (\($0.joined(separator: ", ")))" } ?? "SELECT"])
    }
  }

  /// The tables that anybody has a right to.
  public var tables: [String] { ofWorker.map(\.table) }

  /// The statements that give the roles exactly these rights, whatever they had.
  func grants(to roles: LedgerRoles) -> [Statement] {
    let worker = roles.worker.map { grants(of: ofWorker, to: $0) } ?? []
    let reader = roles.reader.map { grants(of: ofReader, to: $0) } ?? []
    return worker + reader
  }

  private func grants(
    of rights: [(table: String, rights: [String])], to role: String
  ) -> [Statement] {
    [
      "REVOKE ALL ON ALL TABLES IN SCHEMA \(identifier: schema) FROM \(identifier: role)",
      "REVOKE ALL ON SCHEMA \(identifier: schema) FROM \(identifier: role)",
      "GRANT USAGE ON SCHEMA \(identifier: schema) TO \(identifier: role)",
    ]
      + rights.map { table, rights in
        let list = rights.joined(separator: ", ")
        return
          "GRANT \(verbatim: list) ON \(identifier: schema).\(identifier: table) TO \(identifier: role)"
      }
  }

  /// What a daemon needs.
  private var needs: [TableNeed] {
    ofWorker.map { table, rights in TableNeed("\(schema).\(table)", rights) }
  }

  /// Refuses a connection whose role cannot do all that a daemon does.
  public func requireWorker(on connection: borrowing Connection) throws {
    let missing = try MissingRight.all(
      of: needs.map { (owner: schema, need: $0) }, on: connection)
    guard let role = missing.first?.role else { return }
    let words = missing.map {
      $0.isTableThere ? "\($0.right) on \($0.table)" : "the table \($0.table)"
    }
    let rights = words.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
    throw RightsMissing(role: role, rights: rights.joined(separator: ", "))
  }
}

/// A role that may not do what a daemon does.
public struct RightsMissing: Error, Equatable, CustomStringConvertible {
  let role: String
  let rights: String

  public var description: String {
    "the role '\(role)' cannot work at the ledger, it lacks \(rights): connect as the role of"
      + " 'database.worker_role', or let the owner of the ledger name this one there and run"
      + " 'worker migrate up'"
  }
}
