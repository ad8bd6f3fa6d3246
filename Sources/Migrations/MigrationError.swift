internal import LocalTime

/// Why the schema cannot be brought up to date.
public enum MigrationError: Error, Sendable, Equatable {
  case fromTheFuture(found: Int, known: Int)
  case changed(version: Int, name: String)
  case unknownRole(String)
  case ownerNamed(String)
  case oneRoleNamedTwice(String)
  case requesterNamedTwice(String)
  case stillInUse(step: String, by: [Process])
  case openSchemas([OpenSchema])
  case turnTaken(by: String?, for: Duration)

  /// One that is alive and whose program is too old for what is to come.
  public struct Process: Sendable, Equatable {
    let name: String
    let version: String

    /// How long ago it showed itself.
    let seen: Duration
    let isByHand: Bool
  }
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
    case .requesterNamedTwice(let role):
      "the role '\(role)' is named as the one that asks for runs, which may do nothing else, and as worker or"
        + " reader: name another"
    case .openSchemas(let open):
      open.map(\.description).joined(separator: ", and ")
        + ": what is left there could run with the rights of the owner; nothing was changed: let an"
        + " administrator type " + open.map(\.remedy).joined(separator: "; ") + ", then migrate"
    case .turnTaken(let other, let waited):
      "another host has been migrating this database for \(waited.written) and is not done"
        + (other.map { " (\($0))" } ?? "")
        + ": end it, or wait for it, and run 'worker migrate up' again"
    case .stillInUse(let step, let processes):
      "the migration '\(step)' takes away what programs that are alive still use: "
        + processes.map(\.description).joined(separator: ", ") + "; nothing was changed: "
        + Self.remedy(for: processes) + ", then migrate, or write --force: what they work at fails"
    }
  }
}

extension MigrationError {
  /// How those end who are in the way: nobody can ask a run by hand to drain.
  private static func remedy(for processes: [Process]) -> String {
    let daemons = processes.filter { !$0.isByHand }.map(\.name)
    guard !daemons.isEmpty else { return "wait for the end of the run by hand, or cancel it" }
    return "let them end with 'worker drain \(daemons.joined(separator: " ")) --wait 5m'"
  }
}

extension MigrationError.Process: CustomStringConvertible {
  public var description: String {
    "\(name) (\(isByHand ? "run by hand, " : "")version \(version), seen \(seen.written) ago)"
  }
}
