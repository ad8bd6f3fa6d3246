internal import Migrations
internal import Postgres

/// A role may not migrate, which no role of the settings may: what it lacks is the owner's.
struct MigrationForbidden: EndingError {
  private let error: PostgresError
  private let remedy: String?

  /// Asks by the connection whose migration was refused what its role lacks.
  init(_ error: PostgresError, on connection: borrowing Connection) {
    self.error = error
    remedy = try? Self.remedy(on: connection)
  }

  var description: String { "\(error)" + (remedy.map { "; \($0)" } ?? "") }

  var exitCode: ExitCode { .notPermitted }

  private static func remedy(on connection: borrowing Connection) throws(PostgresError) -> String? {
    let schemas = ProgramSchemas.all.map(\.name)
    let row = try connection.run(
      """
      SELECT quote_ident(current_database()) AS database, quote_ident(current_user) AS role,
        has_database_privilege(current_database(), 'CREATE') AS may_create,
        (SELECT pg_get_userbyid(nspowner)::text FROM pg_namespace
          WHERE nspname = ANY(\(schemas)) AND NOT pg_has_role(nspowner, 'USAGE')
          ORDER BY nspname LIMIT 1) AS owner
      """
    ).only
    if let owner: String = try row["owner"] {
      return "it is the owner who migrates: connect as the role '\(owner)'"
    }
    guard try !row["may_create", as: Bool.self] else { return nil }
    let (database, role): (String, String) = (try row["database"], try row["role"])
    return "let an administrator type 'GRANT CREATE ON DATABASE \(database) TO \(role)', or connect"
      + " as the role that is to own the ledger"
  }
}
