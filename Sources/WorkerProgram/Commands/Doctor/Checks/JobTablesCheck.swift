internal import JobKit
internal import Ledger
internal import Postgres
internal import Settings

/// Whether every job finds the tables and the rights that it needs.
struct JobTablesCheck: DatabaseCheck {
  let name = "tables"
  private static let danger =
    "the ticks of a job are skipped while a table or a right that it needs is missing"

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    try ProgramSchemas.requireNewest(on: connection)
    let powers = try RolePowers(on: connection)
    if try powers.mayOnlyLook(on: connection) { return [.note(RoleCheck.looking(powers.role))] }
    let enabled = Set(patient.settings.jobs.filter(\.isEnabled).map(\.name))
    let jobs = ProgramJobs.definitions(of: patient.loaded).filter { enabled.contains($0.name) }
    let blocks = try Ledger.blocks(
      of: jobs.map { (name: $0.name, needs: $0.needs) }, on: connection)
    let seen = jobs.compactMap { job in
      blocks[job.name].map { reason in
        Observation.problem(
          "\(job.name) cannot run: \(reason)", why: Self.danger,
          do: "as it says; the daemons look each minute, and the job goes on by itself")
      }
    }
    return seen.orWell("every job that is enabled finds the tables and rights that it needs")
  }
}
