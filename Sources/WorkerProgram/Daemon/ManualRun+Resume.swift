internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime

extension ManualRun {
  /// Goes on with every run of the job that others have left, in the order of their claims, and begins none.
  func resume() throws -> ExitCode {
    try refuseBesideResume()
    var resumed: [RunRecord] = []
    while let run = try Ledger.openRun(of: job.name, on: session.connection) {
      if run.state == .held {
        if resumed.isEmpty { try refuse(beside: run) }
        break
      }
      // What was worked off already is reported, whoever has the next one.
      if !resumed.isEmpty, try inOtherHands(run.id) != nil { break }
      guard try awaitEnd(of: { try inOtherHands(run.id) }) else { break }
      try goOn(with: run)
      if let after = try Ledger.run(run.id, on: session.connection) { resumed.append(after) }
      if interruption.comes(within: 0) { break }
    }
    return try report(on: resumed)
  }

  private func refuseBesideResume() throws(UsageError) {
    for option in [Option.for, .argument, .dryRun, .force, .runReason, .noRetry]
    where arguments.has(option) || arguments[option] != nil {
      throw UsageError(
        .badWord(
          "--\(option.name)",
          expected: "--resume goes on with runs as they began: leave one of both out"),
        command: .run)
    }
  }

  /// The run, as long as workers have all of it that could be done now.
  private func inOtherHands(_ number: Int) throws -> RunRecord? {
    guard let run = try Ledger.run(number, on: session.connection) else { return nil }
    let now = try LedgerClock.database.now(on: session.connection)
    let isDue = run.dueFrom.map { $0 <= now } ?? false
    return run.wait(at: now) == nil && run.finishedAt == nil && !isDue ? run : nil
  }

  private func goOn(with other: RunRecord) throws {
    console.remark("run \(other.id) of \(job.name) goes on: \(other.kept)")
    try workOff(other.id, parts: other.parts)
  }

  private func report(on resumed: [RunRecord]) throws -> ExitCode {
    if arguments.has(.json) {
      let now = try LedgerClock.database.now(on: session.connection)
      try console.print(JSON.array(resumed.map { $0.json(at: now) }).pretty)
    } else if resumed.isEmpty {
      try console.print("no run of \(job.name) is left to go on with")
    }
    var worst = interruption.comes(within: 0) ? ExitCode.interrupted : .done
    for run in resumed {
      if !arguments.has(.json) { try console.print(sentence(of: run).withVisibleControls) }
      if let advice = try advice(after: run) { console.remark(advice) }
      if worst == .done { worst = exitCode(of: run) }
    }
    return worst
  }
}
