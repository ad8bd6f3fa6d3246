internal import JobKit

extension Command {
  /// Tries the failed parts of a run again.
  static let retry: Command = Command(
    name: "retry",
    summary: "try the failed parts of a run again",
    discussion: """
      The parts that failed or were cancelled become due at once, and go on where their last chunk ended.
      """,
    words: [.run],
    options: [.config, .json],
    examples: [],
    run: { arguments, console in
      let opened = try Opened.openLedger(arguments)
      let run = try arguments.runNumber(of: .retry)
      guard try Ledger.retry(run, at: opened.now, on: opened.connection) else {
        console.complain(["run \(run) has nothing that failed: 'worker show \(run)' tells"])
        return .refusedForNow
      }
      try console.answer("run \(run) is due again", ["run": .integer(run)], to: arguments)
      return .done
    })
}
