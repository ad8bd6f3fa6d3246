internal import JobKit
internal import LocalTime

extension Command {
  /// Runs one job now.
  static let run: Command = Command(
    name: "run",
    summary: "run one job now, on the path that a scheduled run takes",
    discussion: """
      Enters a run into the ledger and does its work in this process: the same claim, chunks, fence and
      record as when the daemon runs it. When another run of the job comes first it is refused, with what
      that run does or waits for; '--wait 10m' waits for its end instead. Of a run in parts it works at as
      many at once as the settings have 'workers'.

      A part that fails is tried again after a wait, as in a daemon, and the command waits for that; with
      --no-retry the first failure is the last. At Ctrl-C the run is cancelled: what is committed stays, and
      'worker retry RUN' makes the rest due again.

      With --resume it begins no run, and goes on with those of the job that nobody works at, each from its
      last chunk: one whose worker was killed, or one that is due while no daemon is alive. It ends with 0
      when there is none, so 'worker run JOB --resume && worker run JOB' always comes to a run of its own.
      At Ctrl-C it gives back what it goes on with, and a daemon takes it over; 'worker cancel RUN' ends it.

      While it runs, standard error shows how far it is: a bar with the rate and the time left on a
      terminal, a line now and then in a pipe.

      With '--arg NAME=VALUE' the job gets an argument. One that it does not know is refused, with those
      that it knows.

      With --dry-run everything happens in one transaction that is rolled back, and nothing is written
      to the ledger.

      It ends with 0 when the run succeeded, 1 when it failed, 75 when it was refused or is held for approval
      (for a dry run: would be held), and 130 when it was interrupted or cancelled.
      """
        + LearningApp.whenOn(
          """


          With '--arg full=true' a job that looks only at learners with news looks at all learners.
          """),
    words: [.job],
    options: [
      .config, .for, .argument, .dryRun, .wait, .resume, .noRetry, .force, .runReason, .json,
    ],
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
  static let resume = flag("resume", "begin no run: go on with those that others have left")
  static let noRetry = flag("no-retry", "end with 1 at the first failure; else wait out the tries")
  static let force = flag("force", "run although the job is paused; needs --reason")
  static let runReason = value("reason", "TEXT", "why, for the ledger")
}
