internal import JobKit
internal import Ledger
internal import Postgres
internal import Runner
internal import Settings

/// Whether every job that is enabled has its row, which holds how far its ticks are decided.
struct JobRowsCheck: DatabaseCheck {
  let name = "jobs"

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let now = try LedgerClock.database.now(on: connection)
    let snapshot = try Ledger.healthSnapshot(at: now, on: connection)
    let settings = patient.settings
    let enabled = settings.jobs.map { ScheduledJob($0, in: settings) }
    let seen = snapshot.unentered(among: enabled).map { job in
      Observation.problem(
        "\(job) is enabled and has no row in jobkit.job",
        why: "no tick of it is decided until it has one",
        do: "wait half a minute for a daemon's pass to enter it; if it does not, see that the"
          + " daemons have these settings, and their logs")
    }
    return seen.orWell("every job that is enabled has one")
  }
}
