internal import JobKit
internal import Ledger
internal import Settings

extension Command {
  /// Ends a run, wherever it runs, or many.
  static let cancel: Command = .ofRun(
    name: "cancel",
    summary: "end a run, wherever it runs, or all of a job",
    discussion: """
      What waits ends at once. What runs is asked to stop by its next heartbeat, and stops at its next
      chunk; what it has committed stays.

      With --job it ends every run of a job that is not over, with --all those of all jobs: without --yes
      it only says which, and ends with 75. Ticks to come still become runs: 'worker pause' keeps them from
      that. Asking again does no harm.
      """,
    refusal: "is over",
    several: SeveralRuns(
      options: [.everyRun, .ofJob, .yes],
      choose: { arguments, session in
        guard try arguments.check(choosing: [.everyRun, .ofJob], of: .cancel) else { return nil }
        if let job = arguments[.ofJob], arguments.has(.everyRun) {
          throw UsageError(
            .badValue(job, of: .ofJob, expected: "write --all or --job, not both"),
            command: .cancel)
        }
        let job = try arguments[.ofJob].map { try session.job(named: $0, of: .cancel).name }
        return try Ledger.openRuns(of: job, on: session.connection)
      }, none: "every such run is over", confirmed: "end"),
    examples: [("worker cancel --job recommend_review --yes", "all that is open of one job")],
    answer: { $0.ending },
    carryOut: { run, session in
      try Ledger.cancel(run, by: Host.author, at: session.now, on: session.connection)
    })
}

extension Option {
  fileprivate static let everyRun = flag("all", "every run of every job that is not over")
}
