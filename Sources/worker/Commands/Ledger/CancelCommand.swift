internal import JobKit

extension Command {
  /// Ends a run, wherever it runs.
  static let cancel: Command = Command(
    name: "cancel",
    summary: "end a run, wherever it runs",
    discussion: """
      What waits ends at once. What runs is asked to stop by its next heartbeat, and stops at its next
      chunk; what it has committed stays.
      """,
    words: [.run],
    options: [.config, .json],
    examples: [],
    run: { arguments, console in
      let opened = try Opened.open(arguments)
      try opened.checkSchema()
      let run = try arguments.runNumber(of: .cancel)
      guard
        try Ledger.cancel(run, by: Host.author, at: opened.now, on: opened.connection)
      else {
        console.complain(["run \(run) is over or unknown: 'worker show \(run)' tells"])
        return .refusedForNow
      }
      try console.answer(
        "run \(run) was asked to end: 'worker show \(run)' tells when it has",
        ["run": .integer(run), "asked_by": .string(Host.author)], to: arguments)
      return .done
    })

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
      let opened = try Opened.open(arguments)
      try opened.checkSchema()
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
      let opened = try Opened.open(arguments)
      try opened.checkSchema()
      let run = try arguments.runNumber(of: .retry)
      guard try Ledger.retry(run, at: opened.now, on: opened.connection) else {
        console.complain(["run \(run) has nothing that failed: 'worker show \(run)' tells"])
        return .refusedForNow
      }
      try console.answer("run \(run) is due again", ["run": .integer(run)], to: arguments)
      return .done
    })
}
