internal import JobKit
internal import Migrations
internal import Postgres

/// Whether the role of the connection may do what a daemon does, and no more.
struct RoleCheck: DatabaseCheck {
  let name = "role"

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let powers = try RolePowers(on: connection)
    if powers.isSuperuser {
      return [
        .warning("'\(powers.role)' is a superuser", why: Self.danger, do: Self.remedy)
          .excused(inDemonstration: "script/demo made this database, with one role for all")
      ]
    }
    if try powers.mayOnlyLook(on: connection) { return [.note(Self.looking(powers.role))] }
    return try tooFew(on: connection)
      + powers.excess.map { .warning("'\(powers.role)' \($0)", why: Self.danger, do: Self.remedy) }
      .orWell("'\(powers.role)' has no more rights than a daemon needs")
  }

  private func tooFew(on connection: borrowing Connection) throws -> [Observation] {
    do {
      // What a job needs besides is that of the tables' check.
      try ProgramSchemas.requireDaemon(on: connection)
      return []
    } catch let missing as RightsMissing {
      return [
        .problem(
          "\(missing)", why: "a daemon of this role does not start",
          do: "as it says; a reader may look, but not run a daemon")
      ]
    }
  }

  /// What is said where a reader asks.
  static func looking(_ role: String) -> String {
    "asked as '\(role)', which may only look: what the role of the daemons may is not judged"
  }

  private static let danger =
    "no daemon needs that, and one mistake or one stolen password costs more with it"

  private static let remedy =
    "make a role of its own for the worker, name it in 'database.worker_role', and let the owner run"
    + " 'worker migrate up'"
}
