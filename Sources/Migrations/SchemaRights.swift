public import Postgres

/// What each role may do with each table of a schema.
///
/// A right is written as in a GRANT: `SELECT`, or `UPDATE (state, reason)` where some columns suffice.
public struct SchemaRights: Sendable {
  private let schema: String
  package let ofWorker: [(table: String, rights: [String])]
  private let ofReader: [(table: String, rights: [String])]
  private let ofRequester: [String]

  /// The rights to tables of `schema`: a worker has those listed, a reader may look at the same tables,
  /// at those of `columns` at these columns alone, and a requester may call the functions `ofRequester`, written with
  /// the types of their arguments.
  public init(
    in schema: String, ofWorker: [(table: String, rights: [String])],
    showingReader columns: [String: [String]] = [:], ofRequester functions: [String] = []
  ) {
    self.schema = schema
    self.ofWorker = ofWorker
    ofRequester = functions
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
    return worker + reader + (roles.requester.map(grantsOfCalls) ?? [])
  }

  /// Where a schema has nothing to call, a role that calls is none of its own: the app's tables may be there.
  private func grantsOfCalls(to role: String) -> [Statement] {
    guard !ofRequester.isEmpty else { return [] }
    return grants(of: [], to: role)
      + ofRequester.map {
        "GRANT EXECUTE ON FUNCTION \(identifier: schema).\(verbatim: $0) TO \(identifier: role)"
      }
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
    guard let first = missing.first else { return }
    let words = missing.flatMap { lack -> [String] in
      guard lack.isTableThere else { return ["the table \(lack.table)"] }
      return lack.isDenied
        ? ["\(lack.right) on \(lack.table)"] : lack.absentColumns.map { "the column \($0)" }
    }
    let rights = words.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
    let isBehind = missing.contains { !$0.isDenied }
    throw RightsMissing(
      role: first.role, rights: rights, isSchemaBehind: isBehind,
      able: try isBehind ? nil : ableRole(toDo: first, on: connection))
  }

  /// A role that was granted what another lacks: most likely that of the daemons.
  private func ableRole(
    toDo lack: MissingRight, on connection: borrowing Connection
  ) throws(PostgresError) -> RightsMissing.Able? {
    let verb = String(lack.right.prefix { $0 != " " })
    let row = try connection.run(
      """
      SELECT role::text, pg_catalog.format('GRANT %I TO %I', role, current_user) AS "grant"
      FROM pg_catalog.pg_class AS class, pg_catalog.aclexplode(class.relacl) AS granted,
        pg_catalog.pg_get_userbyid(granted.grantee) AS role
      WHERE class.oid = pg_catalog.to_regclass(\(lack.table)) AND granted.privilege_type = \(verb)
        AND granted.grantee NOT IN (0, class.relowner)
      ORDER BY 1 LIMIT 1
      """
    ).first
    guard let row else { return nil }
    return RightsMissing.Able(role: try row["role"], grant: try row["grant"])
  }
}
