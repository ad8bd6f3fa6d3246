public import Postgres

/// What each role may do with each table of a schema.
public struct SchemaRights: Sendable {
  private let schema: String
  let ofWorker: [(table: String, rights: [String])]
  private let ofReader: [(table: String, rights: [String])]

  /// The rights to tables of `schema`: a worker has those listed, a reader may look at the same tables.
  public init(in schema: String, ofWorker: [(table: String, rights: [String])]) {
    self.schema = schema
    self.ofWorker = ofWorker
    ofReader = ofWorker.map { (table: $0.table, rights: ["SELECT"]) }
  }

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

  /// Refuses a connection whose role cannot do all that a daemon does.
  public func requireWorker(on connection: borrowing Connection) throws {
    let all = ofWorker.flatMap { table, rights in rights.map { ("\(schema).\(table)", $0) } }
    let row = try connection.run(
      """
      SELECT current_user::text AS role, coalesce(string_agg(
        "right" || ' on ' || name, ', ' ORDER BY name, place
      ) FILTER (WHERE NOT has_table_privilege(name, "right")), '') AS missing
      FROM unnest(\(all.map(\.0)), \(all.map(\.1))) WITH ORDINALITY AS needed (name, "right", place)
      """
    ).only
    let missing: String = try row["missing"]
    guard missing.isEmpty else { throw RightsMissing(role: try row["role"], rights: missing) }
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
