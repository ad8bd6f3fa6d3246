/// Why the schema cannot be brought up to date.
public enum MigrationError: Error, Sendable, Equatable {
  case fromTheFuture(found: Int, known: Int)
  case changed(version: Int, name: String)
  case unknownRole(String)
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
    }
  }
}
