internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime

/// What becomes of a run that a command has just changed, and who does it.
struct Outlook {
  let run: RunRecord
  let parts: [PartRecord]

  /// Who has code for its job.
  let daemon: Doer
  let now: Instant

  init(of run: RunRecord, _ session: borrowing LedgerSession) throws {
    self.run = run
    now = try LedgerClock.database.now(on: session.connection)
    parts = try Ledger.parts(of: run.id, on: session.connection)
    daemon = try session.doer(of: run.job, at: now)
  }

  /// Who does what is due, as the end of a sentence.
  var doer: String { Self.doer(of: run.job, daemon, before: run.runBefore) }

  static func doer(of job: JobName, _ daemon: Doer, before: Int? = nil) -> String {
    guard daemon.mayBeThere else {
      return "it goes on as soon as a daemon runs; none with code for '\(job)' is alive"
    }
    let turn = before.map { " and run \($0) is over" } ?? ""
    return "a daemon goes on with it as soon as a worker is free\(turn)\(daemon.doubt)"
  }

  /// What a request to end it came to.
  var ending: String {
    guard run.finishedAt == nil else {
      return "run \(run.id) is \(run.state): no worker had it; \(run.kept)"
    }
    let held = parts.filter { $0.state == .running }
    let workers = Set(held.compactMap(\.daemon)).sorted().joined(separator: ", ")
    let request =
      "run \(run.id) was asked to end: what \(workers) has of it stops at its next chunk"
    guard !daemon.mayBeThere, let lease = run.leaseUntil else {
      return request + "; 'worker show \(run.id)' tells when it has"
    }
    return request
      + "; no daemon with code for '\(run.job)' is alive: if that worker is gone too, another"
      + " 'worker cancel \(run.id)' ends the run after its lease, \(Times.distance(from: now, to: lease))"
  }

  var json: JSON {
    .object(
      [
        JSON.Member("run", .integer(run.id)), .init("by", .string(Host.author)),
        .init("state", .string(run.state.rawValue)),
      ] + run.waitJSON(at: now) + [.init("daemon_alive", .boolean(daemon.mayBeThere))])
  }
}
