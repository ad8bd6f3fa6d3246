internal import JobKit
internal import LocalTime

extension Command {
  /// Runs one job now.
  static let run: Command = Command(
    name: "run",
    summary: "run one job now, on the path that a scheduled run takes",
    discussion: """
      Enters a run into the ledger and does its work in this process: the same claim, chunks, fence and
      record as when the daemon runs it. A job that is running elsewhere is refused, with who runs it,
      where and since when; '--wait 10m' waits for its end instead. A run whose worker was killed, and
      that no daemon has taken over, is gone on with from its last chunk, and then this one begins.
      Of a run in parts it works at as many at once as the settings have 'workers'; what is to be tried
      again when all others are over is left to a daemon, or to the next run.

      While it runs, standard error shows how far it is: a bar with the rate and the time left on a
      terminal, a line now and then in a pipe.

      With '--arg full=true' a job that looks only at learners with news looks at all learners. An argument
      that the job does not know is refused, with those that it knows.

      With --dry-run everything happens in one transaction that is rolled back, and nothing is written
      to the ledger.

      It ends with 0 when the run succeeded, 1 when it failed, 75 when it was refused, is held for approval
      (for a dry run: would be held), or is not over because a part is still to be tried again, and 130
      when it was interrupted or cancelled.
      """,
    words: [.job],
    options: [.config, .for, .argument, .dryRun, .wait, .force, .runReason, .json],
    examples: [],
    run: { arguments, console in try ManualRun.open(arguments, console).run() })
}

extension Option {
  static let `for` = value(
    "for", "WHEN", "work as of then: \(WrittenInstant.forms); else as of now")
  static let argument = value(
    "arg", "NAME=VALUE", "hand an argument to the job, such as full=true", repeats: true)
  static let dryRun = flag("dry-run", "do it all and roll it back")
  static let wait = value("wait", "DURATION", "wait so long for another run's end; else refuse")
  static let force = flag("force", "run although the job is paused; needs --reason")
  static let runReason = value("reason", "TEXT", "why, for the ledger")
}
