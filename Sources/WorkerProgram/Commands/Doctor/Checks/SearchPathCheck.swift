internal import JobKit
internal import Migrations
internal import Postgres
internal import Settings

/// Whether another role may leave something where the roles of the ledger look names up.
struct SearchPathCheck: DatabaseCheck {
  let name = "search_path"
  private static let danger =
    "a function that another role leaves there can run with the rights of the role that looks it up"

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let worker = patient.settings.database.roles.worker
    let seen = try OpenSchema.all(worker: worker, on: connection).map { open in
      Observation.warning("\(open)", why: Self.danger, do: open.remedy)
    }
    return seen.orWell("no other role may create where the roles of the ledger look names up")
  }
}
