/// Why the schema cannot be brought up to date.
public enum MigrationError: Error, Sendable, Equatable {
  case fromTheFuture(found: Int, known: Int)
  case changed(version: Int, name: String)
  case unknownRole(String)
  case ownerNamed(String)
  case oneRoleNamedTwice(String)
}

extension MigrationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .fromTheFuture(let found, let known):
      "the schema of the database is at version \(found) and this program knows \(known): a newer"
        + " program has migrated it; run that one, nothing was changed"
    case .changed(let version, let name):
      "migration \(version) '\(name)' was applied with other contents than this program has:"
        + " two builds claim one version; nothing was changed"
    case .unknownRole(let role):
      "there is no role '\(role)' to grant anything to: create it, or correct the settings"
    case .ownerNamed(let role):
      "the role '\(role)' owns the ledger and may do everything there: name another role in the"
        + " settings, or none"
    case .oneRoleNamedTwice(let role):
      "the role '\(role)' is named as worker and as reader: a worker may look as it is"
    }
  }
}
