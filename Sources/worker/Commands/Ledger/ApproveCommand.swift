internal import JobKit

extension Command {
  /// Lets a held run go on.
  static let approve: Command = Command(
    name: "approve",
    summary: "let a run go on that was held before its first effect",
    discussion: """
      A run that would touch more or fewer than its job may is held, and has touched nobody. Look at what
      it would do ('worker run JOB --dry-run'), then let it go on with this, or end it with 'worker cancel'.
      """,
    words: [.run],
    options: [.config, .json],
    examples: [],
    run: { arguments, console in
      let opened = try Opened.openLedger(arguments)
      let run = try arguments.runNumber(of: .approve)
      guard
        try Ledger.approve(run, by: Host.author, at: opened.now, on: opened.connection)
      else {
        console.complain(["run \(run) is not held: 'worker show \(run)' tells"])
        return .refusedForNow
      }
      try console.answer(
        "run \(run) goes on, approved by \(Host.author)",
        ["run": .integer(run), "approved_by": .string(Host.author)], to: arguments)
      return .done
    })
}
