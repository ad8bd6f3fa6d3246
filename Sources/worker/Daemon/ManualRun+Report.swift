internal import Config
internal import JobKit
internal import LocalTime

extension ManualRun {
  /// Says how a run went that is not worked at here any more; returns how the program ends.
  func report(_ number: Int) throws -> ExitCode {
    guard let run = try Ledger.run(number, on: opened.connection) else { return .internalError }
    if arguments.has(.json) {
      try console.print(run.json.pretty)
    } else {
      let sentence = try run.finishedAt == nil ? rest(of: run) : sentence(of: run)
      try console.print(sentence.withVisibleControls)
    }
    return switch run.state {
    case "succeeded": .done
    case "cancelled": .interrupted
    case "held", "due", "running": .refusedForNow
    default: .jobFailed
    }
  }

  /// How a run went, as one line.
  func sentence(of run: RunRecord) throws -> String {
    let now = try LedgerClock.database.now(on: opened.connection)
    let took = run.workTime(by: now).map { " in \(Moment.text($0))" } ?? ""
    // What begins with the state itself goes on from it: "cancelled by ana@host".
    if run.what.hasPrefix("\(run.state) ") {
      return
        "run \(run.id) \(run.what)\(took.replacing(" in ", with: ", after ", maxReplacements: 1))"
    }
    return "run \(run.id) \(run.state)\(took)\(run.what.isEmpty ? "" : ": \(run.what)")"
  }

  /// What a run that is not over waits for.
  private func rest(of run: RunRecord) throws -> String {
    guard run.state != "held" else { return try sentence(of: run) }
    let part = try Ledger.parts(of: run.id, on: opened.connection)
      .filter { $0.state == "due" }.min { $0.notBefore < $1.notBefore }
    let others =
      job.policies.overlap.isExclusive
      ? "a daemon or by the next 'worker run \(job.name)'" : "a daemon"
    let fate =
      if let part, let error = part.error, part.failures > 0 {
        "part \(part.number) failed (\(error)) and is tried again at \(part.notBefore.wholeSecond)"
      } else {
        "what is left of it is done later"
      }
    return "run \(run.id) is not over: \(fate), by \(others); 'worker show \(run.id)' tells more"
  }
}

extension Instant {
  /// The second that it is in.
  fileprivate var wholeSecond: Instant { Instant(secondsSince1970: secondsSince1970) }
}
