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
      let opened = try Opened.openLedger(arguments)
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
}
