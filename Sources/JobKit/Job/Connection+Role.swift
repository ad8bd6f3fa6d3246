public import Postgres

extension Connection {
  /// Runs one statement of a transaction with the rights of another role, and gives them back behind it.
  ///
  /// When it fails, so has the transaction, and the role goes with it.
  @discardableResult
  public func run(
    _ statement: Statement, as role: String
  ) throws(PostgresError) -> Rows {
    try pipeline([.taking(role: role), statement, "RESET ROLE"])[1]
  }
}

extension Statement {
  /// Takes the rights of a role until the transaction ends.
  package static func taking(role: String) -> Statement {
    "SELECT set_config('role', \(role), true)"
  }
}
