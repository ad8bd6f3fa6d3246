internal import Config
public import JobKit
public import LocalTime

/// Why a daemon, or the schedule as a whole, is not well.
public enum HealthProblem: Sendable, Equatable {
  case loopStands(loop: String, since: Duration, limit: Duration)
  case notReadyYet
  case databaseAway
  case draining
  case noSnapshot(since: Duration?)
  case noDaemon(since: Instant?)
  case undecided(JobName, tick: Instant, late: Duration)
  case waiting(JobName, run: Int, late: Duration)
  /// A tick waits for other jobs for longer than it may.
  case awaiting(JobName, run: Int, late: Duration)
  case held(JobName, run: Int, since: Duration)
  case paused(JobName, by: String, since: Duration)
  case orphaned(JobName)
  /// A job is enabled here, and no daemon decides its ticks.
  case unentered(JobName)
  /// Its newest runs that ended have all failed.
  case failing(JobName, run: Int, times: Int, since: Instant, reason: String)
  /// A table or a right that it needs is not there; for how long its ticks have been skipped, if one was.
  case blocked(JobName, by: String, since: Duration?)
  /// Nobody answers where the settings say that a daemon does.
  case silent(address: String, reason: String)
  /// The daemon that answers is none of the ledger that the settings name.
  case otherDatabase(address: String, daemon: String)
  /// Who asks gets no answer from the database.
  case unasked(reason: String)
}

extension HealthProblem {
  /// The job that it is about, when it is about one.
  public var job: JobName? {
    switch self {
    case .undecided(let job, _, _), .waiting(let job, _, _), .awaiting(let job, _, _),
      .held(let job, _, _), .paused(let job, _, _), .orphaned(let job), .unentered(let job),
      .failing(let job, _, _, _, _), .blocked(let job, _, _):
      job
    case .loopStands, .notReadyYet, .databaseAway, .draining, .noSnapshot, .noDaemon, .silent,
      .otherDatabase, .unasked:
      nil
    }
  }

  /// What kind of problem it is, in one word that does not change.
  public var word: String {
    switch self {
    case .loopStands: "loop_stands"
    case .notReadyYet: "not_ready"
    case .databaseAway: "database_away"
    case .draining: "draining"
    case .noSnapshot: "no_snapshot"
    case .noDaemon: "no_daemon"
    case .undecided: "undecided"
    case .waiting: "waiting"
    case .awaiting: "awaiting"
    case .held: "held"
    case .paused: "paused"
    case .orphaned: "orphaned"
    case .unentered: "unentered"
    case .failing: "failing"
    case .blocked: "blocked"
    case .silent: "silent"
    case .otherDatabase: "other_database"
    case .unasked: "unasked"
    }
  }
}

extension HealthProblem: CustomStringConvertible {
  public var description: String { text(\.description) }

  /// What is wrong, with instants as `write` writes them.
  public func text(_ write: (Instant) -> String) -> String {
    job.map { "\($0): \(said(write))" } ?? said(write)
  }

  /// What is wrong, without the name of the job; with instants as `write` writes them.
  public func said(_ write: (Instant) -> String) -> String {
    switch self {
    case .noDaemon(let since):
      "no daemon \(since.map { "since \(write($0.wholeSecond))" } ?? "is alive"): nothing is decided and"
        + " nothing runs"
    case .undecided(_, let tick, let late):
      "its tick of \(write(tick)) is \(late.written) late and has no row: is a daemon alive that decides?"
    case .failing(_, let run, 1, let since, let reason):
      "its run at \(write(since.wholeSecond)) failed, and the ledger knows no success before it: \(reason);"
        + " 'worker show \(run)' tells more"
    case .failing(_, let run, let times, let since, let reason):
      "its last \(times) runs failed, since \(write(since.wholeSecond)): \(reason); 'worker show \(run)' tells"
        + " more"
    default: said
    }
  }

  /// What is wrong, without the name of the job.
  public var said: String {
    switch self {
    case .loopStands(let loop, let since, let limit):
      "the \(loop) loop has made no progress for \(since.written) (limit \(limit.written)): restart the"
        + " daemon"
    case .notReadyYet: "no decision pass is complete yet"
    case .databaseAway: "the database does not answer: the log says why, and it is tried again"
    case .draining: "it ends what runs and begins nothing new"
    case .noSnapshot(let since):
      since.map { "the ledger was looked at \($0.written) ago, which is too long" }
        ?? "the ledger was not looked at yet"
    case .noDaemon, .undecided, .failing: said(\.description)
    case .waiting(_, let run, let late):
      "run \(run) is \(late.written) late and no worker has begun it: 'worker ps' shows what they"
        + " are at"
    case .awaiting(_, let run, let late):
      "run \(run) waits for other jobs \(late.written) longer than its 'after_limit', and no daemon has"
        + " written it off: 'worker show \(run)' says for which"
    case .held(_, let run, let since):
      "run \(run) has been held for \(since.written): 'worker show \(run)' says why, 'worker"
        + " approve \(run)' lets it go on"
    case .paused(let job, let author, let since):
      "paused by \(author) for \(since.written) without an end: 'worker resume \(job)' ends it"
    case .orphaned(let job):
      "no daemon alive has code for it; 'worker retire \(job)' retires a job that is gone for good"
    case .unentered:
      "it is enabled and has no row in jobkit.job, so its ticks are not decided: a daemon that has"
        + " this job in its settings enters it with its next pass"
    case .blocked(_, let reason, let since):
      "its ticks \(since.map { "have been skipped for \($0.written)" } ?? "will be skipped"): \(reason);"
        + " then it goes on by itself"
    case .silent(let address, let reason):
      "no daemon answers at \(address): \(reason)"
    case .otherDatabase(let address, let daemon):
      "the daemon \(daemon) answers at \(address), and the ledger of these settings does not know it: it"
        + " works for another database"
    case .unasked(let reason): "the ledger cannot be read: \(reason)"
    }
  }
}
