internal import JobKit

extension Command {
  /// Ends a run, wherever it runs.
  static let cancel: Command = .ofRun(
    name: "cancel",
    summary: "end a run, wherever it runs",
    discussion: """
      What waits ends at once. What runs is asked to stop by its next heartbeat, and stops at its next
      chunk; what it has committed stays.
      """,
    refusal: "is over",
    answer: { "run \($0) was asked to end: 'worker show \($0)' tells when it has" },
    carryOut: { run, opened in
      try Ledger.cancel(run, by: Host.author, at: opened.now, on: opened.connection)
    })
}
