internal import JobKit

extension Command {
  /// Tries the failed parts of a run again.
  static let retry: Command = .ofRun(
    name: "retry",
    summary: "try the failed parts of a run again",
    discussion: """
      The parts that failed or were cancelled become due at once, and go on where their last chunk ended.
      """,
    refusal: "has nothing that failed",
    answer: { "run \($0) is due again" },
    carryOut: { run, opened in
      try Ledger.retry(run, at: opened.now, on: opened.connection)
    })
}
