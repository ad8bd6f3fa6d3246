internal import JobKit
internal import Ledger

extension Command {
  /// Lets a held run go on.
  static let approve: Command = .ofRun(
    name: "approve",
    summary: "approve a run that was held before it changed anything",
    discussion: """
      A run that would touch more or fewer than its job may is held, and has touched nobody. Look at what
      it would do ('worker run JOB --dry-run'), then let it go on with this, or end it with 'worker cancel'.
      """,
    refusal: "is not held",
    answer: { "run \($0.run.id) is due, approved by \(Host.author); \($0.doer)" },
    carryOut: { run, session in
      try Ledger.approve(run, by: Host.author, at: session.now, on: session.connection)
    })
}
