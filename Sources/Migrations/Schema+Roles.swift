public import Postgres

extension Schema {
  /// Grants the roles exactly what they need, whatever they had; to be repeated after each migration.
  public func grant(
    _ roles: LedgerRoles, on connection: borrowing Connection,
    telling tell: (MigrationNews) -> Void = { _ in }
  ) throws {
    guard !roles.names.isEmpty else { return }
    try patience.retrying(on: connection, telling: tell) { connection in
      try holdingLock(on: connection, telling: tell) { connection in
        try requireNoneNewer(on: connection)
        try checkOwner(roles, on: connection)
        for statement in rights.grants(to: roles) { try connection.run(statement) }
      }
    }
  }

  /// Refuses roles that cannot be granted anything; before there is a schema, nobody owns it.
  public func check(_ roles: LedgerRoles, on connection: borrowing Connection) throws {
    if let role = roles.worker, role == roles.reader {
      throw MigrationError.oneRoleNamedTwice(role)
    }
    if let role = roles.requester, [roles.worker, roles.reader].contains(role) {
      throw MigrationError.requesterNamedTwice(role)
    }
    for role in roles.names {
      let isKnown: Bool = try connection.run(
        "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = \(role)) AS is_known"
      ).only["is_known"]
      guard isKnown else { throw MigrationError.unknownRole(role) }
    }
    try checkOwner(roles, on: connection)
  }

  /// Refuses the owner: what is taken from it, it could not use until it gives it back to itself.
  func checkOwner(_ roles: LedgerRoles, on connection: borrowing Connection) throws {
    let owners = try connection.run(
      """
      SELECT nspowner::regrole::text AS owner FROM pg_namespace
      WHERE nspname = \(name) AND pg_get_userbyid(nspowner) = ANY(\(roles.names))
      """)
    guard let owner = owners.first else { return }
    throw MigrationError.ownerNamed(try owner["owner"])
  }
}
