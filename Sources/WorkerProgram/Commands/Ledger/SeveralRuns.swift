internal import Config
internal import JobKit
internal import Ledger
internal import Postgres

/// How a command that asks something of one run asks it of several.
struct SeveralRuns: Sendable {
  let options: [Option]

  /// The runs that the options choose; nothing when they choose none and a run is to be named.
  let choose: @Sendable (Arguments, borrowing LedgerSession) throws -> [Ledger.NamedRun]?

  /// What to say when no run is like that.
  let none: String

  /// What is to happen to each, which has to be confirmed by --yes; nothing when it need not be.
  var confirmed: String?
}

extension SeveralRuns {
  /// Asks it of each run, and says of each what came of it.
  ///
  /// Each is one transaction: whoever is interrupted asks again, and what is done already stays done.
  func carryOut(
    on runs: [Ledger.NamedRun], _ arguments: Arguments, _ console: Console,
    by answer: (Int) throws -> (isDone: Bool, sentence: String)
  ) throws -> ExitCode {
    if let confirmed, !runs.isEmpty, !arguments.has(.yes) {
      for run in runs { console.tell("would \(confirmed) run \(run.id) of \(run.job)") }
      console.complain([
        "nothing was done: to \(confirmed) \(runs.count.counted("run")), write --yes as well"
      ])
      return .refusedForNow
    }
    var members: [JSON] = []
    for run in runs {
      let (isDone, sentence) = try answer(run.id)
      members.append([
        "run": .integer(run.id), "job": .string(run.job.text), "done": .boolean(isDone),
        "by": .string(Host.author),
      ])
      if !arguments.has(.json) { try console.print("\(run.job): \(sentence)") }
    }
    if arguments.has(.json) {
      try console.print(JSON.array(members).pretty)
    } else if runs.isEmpty {
      try console.print(none)
    }
    return .done
  }
}

extension Option {
  static let yes = flag("yes", "do it; else it is only said what would be done")
}
