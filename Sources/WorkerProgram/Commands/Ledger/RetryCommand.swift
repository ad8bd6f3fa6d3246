internal import JobKit
internal import Ledger
internal import LocalTime
internal import Settings

extension Command {
  /// Tries the failed parts of a run again, or of many.
  static let retry: Command = .ofRun(
    name: "retry",
    summary: "try the failed parts of a run again, or of all that failed since a moment",
    discussion: """
      The parts that failed or were cancelled become due at once, and go on where their last chunk ended.

      With --since it does so for every run that has failed since then, of one job or of all; --failed says
      the same in a word and changes nothing. Asking again does no harm: what is due again has not failed.
      """,
    refusal: "has nothing that failed",
    several: SeveralRuns(
      options: [.failed, .failedSince, .ofJob],
      choose: { arguments, session in
        guard try arguments.check(choosing: [.failed, .failedSince, .ofJob], of: .retry) else {
          return nil
        }
        let job = try arguments[.ofJob].map { try session.job(named: $0, of: .retry).name }
        return try Ledger.failedRuns(
          of: job, since: try since(arguments, session), on: session.connection)
      }, none: "no such run has failed since then"),
    examples: [("worker retry --failed --since 2h", "what an incident of two hours broke")],
    answer: { "run \($0.run.id) is due again: \($0.run.kept); \($0.doer)" },
    carryOut: { run, session in
      try Ledger.retry(run, at: session.now, on: session.connection)
    })

  private static func since(_ arguments: Arguments, _ session: borrowing LedgerSession) throws
    -> Instant
  {
    let since = try arguments.instant(
      .failedSince, in: try session.zone, at: session.now, of: .retry)
    guard let since else { throw UsageError(.missingOption(.failedSince), command: .retry) }
    return since
  }
}

extension Option {
  fileprivate static let failed = flag("failed", "what --since chooses: the runs that have failed")
  fileprivate static let failedSince = value(
    "since", "WHEN", "every run that has failed since then: \(WrittenInstant.forms)")
}
