internal import Config
internal import JobKit
internal import Jobs
internal import Ledger
internal import LocalTime

extension ManualRun {
  /// Says how a run went that is not worked at here any more; returns how the program ends.
  func report(_ number: Int) throws -> ExitCode {
    guard let run = try Ledger.run(number, on: session.connection) else { return .internalError }
    if arguments.has(.json) {
      let now = try LedgerClock.database.now(on: session.connection)
      try console.print(run.json(at: now).pretty)
    } else {
      try console.print(sentence(of: run).withVisibleControls)
    }
    if let advice = try advice(after: run) { console.remark(advice) }
    return exitCode(of: run)
  }

  /// A run of which a try failed has failed for who asked for it, whoever tries it again.
  func exitCode(of run: RunRecord) -> ExitCode {
    switch run.state {
    case .succeeded: .done
    case .cancelled: .interrupted
    case .held: .refusedForNow
    case .waiting, .due, .running: interruption.comes(within: 0) ? .interrupted : .jobFailed
    case .failed, .skipped, .missed, .collapsed: .jobFailed
    }
  }

  /// How a run went, as one line.
  func sentence(of run: RunRecord) throws -> String {
    let now = try LedgerClock.database.now(on: session.connection)
    guard run.finishedAt != nil else {
      return "run \(run.id) is not over: it \(run.standing(at: now))"
    }
    let took = run.workTime(by: now).map { " in \(RelativeTime.text($0))" } ?? ""
    // The reason says the state itself: "cancelled by ana@host".
    if run.state == .cancelled {
      return
        "run \(run.id) \(run.what)\(took.replacing(" in ", with: ", after ", maxReplacements: 1))"
    }
    let why = try failures(of: run) ?? run.what
    return "run \(run.id) \(run.state)\(took)\(why.isEmpty ? "" : ": \(why)")"
  }

  /// What went wrong with its parts, each error once; nothing where the run has a reason of its own.
  private func failures(of run: RunRecord) throws -> String? {
    guard run.state == .failed, run.reason == nil else { return nil }
    let parts = try Ledger.parts(of: run.id, on: session.connection)
    let errors = Set(parts.filter { $0.state == .failed }.compactMap(\.error)).sorted()
    guard errors.count > 1 else { return errors.first }
    return errors.prefix(3).joined(separator: "; ")
      + (errors.count > 3 ? "; 'worker show \(run.id)' tells the others" : "")
  }

  /// What is left of a run that did not succeed, and how to go on with it.
  func advice(after run: RunRecord) throws -> String? {
    let doer =
      try hasDaemon()
      ? "a daemon goes on with it" : "'worker run \(job.name) --resume' goes on with it"
    return switch run.state {
    case .succeeded: nil
    case .held:
      "'worker approve \(run.id)' lets run \(run.id) go on, 'worker cancel \(run.id)' ends it"
    case .waiting, .due, .running: "run \(run.id): \(run.kept); \(doer)"
    case .failed, .cancelled, .skipped, .missed, .collapsed:
      "run \(run.id): \(run.kept); 'worker retry \(run.id)' makes the rest due again, and \(doer)"
    }
  }
}
