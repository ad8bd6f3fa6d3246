public import LocalTime
public import Postgres

extension Schema {
  /// Applies what is missing and grants what is to be granted, and rolls all of it back.
  public func rehearse(
    granting roles: LedgerRoles, by author: String, at now: Instant,
    on connection: borrowing Connection, telling tell: (MigrationNews) -> Void = { _ in }
  ) throws {
    do {
      try holdingLock(on: connection, telling: tell) { connection in
        for migration in try begin(on: connection) {
          tell(.applying(migration))
          try apply(migration, by: author, at: now, on: connection)
          tell(.applied(migration))
        }
        try checkOwner(roles, on: connection)
        for statement in rights.grants(to: roles) { try connection.run(statement) }
        throw Rehearsed()
      }
    } catch is Rehearsed {}
  }

  private struct Rehearsed: Error {}

  /// What `migrate` and `grant` would do to this database, as a script for psql.
  public func script(
    granting roles: LedgerRoles, on connection: borrowing Connection
  ) throws -> String {
    try requireNoneNewer(on: connection)
    let missing = try pending(on: connection)
    let beginning = try beginning(on: connection)
    let steps = missing.map { migration in
      """
      BEGIN;
      SET LOCAL search_path = pg_catalog, pg_temp;
      \(beginning)
      \(migration.sql)
      INSERT INTO \(name).migration (version, name, checksum, applied_at, applied_by, works_with)
      VALUES (\(migration.version), '\(migration.name)', '\(migration.checksum)', now(), session_user,
        \(migration.worksWith));
      COMMIT;

      """
    }
    let grants = rights.grants(to: roles).map { $0.text + ";\n" }
    return steps.joined() + (grants.isEmpty ? "" : "BEGIN;\n\(grants.joined())COMMIT;\n")
  }
}
