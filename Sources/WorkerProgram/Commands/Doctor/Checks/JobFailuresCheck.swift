internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Runner
internal import Settings

/// Whether a job fails, by the rule that `worker health` goes by.
struct JobFailuresCheck: DatabaseCheck {
  let name = "failures"

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let now = try LedgerClock.database.now(on: connection)
    let settings = patient.settings
    let jobs = settings.jobs.map { ScheduledJob($0, in: settings) }
    let problems = try Ledger.healthSnapshot(at: now, on: connection).diagnoses(of: jobs, at: now)
      .flatMap(\.problems)
    let seen = problems.compactMap { problem -> Observation? in
      guard case .failing(let name, let run, _, _, _) = problem else { return nil }
      let zone = jobs.first { $0.name == name }?.schedule.zone ?? .utc
      return .problem(
        problem.text(Times(zone: zone, now: now).alone),
        why: "what the job is for is not done until one of its runs succeeds",
        do: "put the cause right, then 'worker retry \(run)', or wait for its next tick")
    }
    return seen.orWell("no job fails in all of its latest runs")
  }
}
