public import LocalTime
public import Postgres

extension Schema {
  /// Applies what is missing and grants what is to be granted, and rolls all of it back; returns what
  /// would have been applied.
  public func rehearse(
    granting roles: LedgerRoles, by author: String, at now: Instant,
    on connection: borrowing Connection
  ) throws -> [Migration] {
    do {
      try holdingLock(on: connection) { connection in
        let missing = try begin(on: connection)
        for migration in missing {
          try apply(migration, by: author, at: now, on: connection)
        }
        try checkOwner(roles, on: connection)
        for statement in rights.grants(to: roles) { try connection.run(statement) }
        throw Rehearsed(missing: missing)
      }
    } catch let rehearsed as Rehearsed {
      return rehearsed.missing
    }
    return []
  }

  private struct Rehearsed: Error {
    let missing: [Migration]
  }

  /// What `migrate` and `grant` would do to this database, as a script for psql.
  public func script(
    granting roles: LedgerRoles, on connection: borrowing Connection
  ) throws -> String {
    try requireNoneNewer(on: connection)
    let missing = try pending(on: connection)
    let steps = missing.map { migration in
      """
      BEGIN;
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
