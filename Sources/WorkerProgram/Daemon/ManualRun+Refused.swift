internal import JobKit
internal import Ledger
internal import LocalTime
internal import Runner

extension ManualRun {
  /// Why a run by hand is refused for now.
  enum Refused: Error, CustomStringConvertible {
    case noCode(JobName)
    case inTheFuture(JobName, Instant)
    case paused(JobName, Pause)

    /// A worker has a part of another run of the job.
    case running(JobName, run: RunRecord, part: PartRecord?)
    case held(JobName, run: RunRecord)

    /// Another run of the job waits, as `standing` says.
    case unfinished(JobName, run: Int, standing: String, hasDaemon: Bool)

    var description: String {
      switch self {
      case .noCode(let job):
        "this program has no code for '\(job)' yet: nothing was entered into the ledger"
      case .inTheFuture(let job, let instant):
        "'\(job)' cannot be run for \(instant), which lies in the future: write --for with an instant that"
          + " has passed; --dry-run shows what a run for then would do with the data of now"
      case .paused(let job, let pause):
        "'\(job)' is paused by \(pause.author): \(pause.reason); 'worker resume \(job)' lets it go on,"
          + " --force with --reason runs it all the same"
      case .running(let job, let run, let part):
        "'\(job)' runs already: run \(run.id)" + (part?.daemon.map { " on \($0)" } ?? "")
          + (run.startedAt.map { " since \($0.wholeSecond)" } ?? "")
          + "; wait for its end with --wait 10m, or end it with 'worker cancel \(run.id)'"
      case .held(let job, let run):
        "'\(job)' has a held run, run \(run.id), and nothing of it runs until somebody decides: it"
          + " \(run.what); 'worker approve \(run.id)' lets it go on, 'worker cancel \(run.id)' ends it"
      case .unfinished(let job, let run, let standing, let hasDaemon):
        "'\(job)' has an unfinished run, which comes first: run \(run) \(standing); "
          + (hasDaemon
            ? "a daemon goes on with it: wait for its end with --wait 10m"
            : "no daemon with code for it is alive: 'worker run \(job) --resume' goes on with it")
          + ", or end it with 'worker cancel \(run)'"
      }
    }
  }

  /// Refuses to run beside another run, with what that does or waits for.
  func refuse(beside other: RunRecord) throws -> Never {
    if other.state == .held { throw Refused.held(job.name, run: other) }
    let now = try LedgerClock.database.now(on: session.connection)
    guard other.wait(at: now) == nil else {
      throw Refused.unfinished(
        job.name, run: other.id, standing: other.standing(at: now), hasDaemon: try hasDaemon())
    }
    let part = try Ledger.parts(of: other.id, on: session.connection).first { $0.state == .running }
    throw Refused.running(job.name, run: other, part: part)
  }

  /// Whether a daemon lives that goes on with what is left of the job.
  func hasDaemon() throws -> Bool {
    try session.doer(of: job.name, at: LedgerClock.database.now(on: session.connection))
      .mayBeThere
  }
}

extension ManualRun.Refused: EndingError {
  var exitCode: ExitCode { .refusedForNow }
}
