internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

extension Command {
  /// Forgets a job that is gone for good.
  static let retire: Command = Command(
    name: "retire",
    summary: "remove a job that is gone for good from the ledger, with its runs",
    discussion: """
      Removes the job's row, its runs, its schedules and what people were told of it, so that nothing misses
      it any more. It says first what that is; with --dry-run it only says so.

      It is for the owner of the ledger, as 'worker migrate' is: the role of the daemons may not remove a
      job. It is refused with 75 while a daemon is alive that has code for the job, which would enter it
      anew, and while a run of it is not over ('worker cancel'). Runs are deleted a thousand at a time; when
      it is interrupted, asking again goes on.
      """,
    words: [.job],
    options: [.config, .retireDry, .json],
    examples: [],
    run: { arguments, console in
      let session = try LedgerSession.openLedger(arguments)
      let job = try name(in: arguments)
      let estate = try RetireRefused.check(job, session)
      let removes = !arguments.has(.retireDry)
      if removes, !arguments.has(.json) { console.remark("removes \(words(for: estate))") }
      if removes, try !Ledger.retire(job, at: session.now, on: session.connection) {
        _ = try RetireRefused.check(job, session)
        throw RetireRefused.changed(job)
      }
      if removes, ProgramJobs.catalogue(of: session.loaded).jobs.contains(where: { $0.name == job })
      {
        console.remark("this version still has code for \(job): a daemon of it enters the job anew")
      }
      try console.answer(
        removes ? "\(job) is retired" : "would remove \(words(for: estate))",
        [
          "job": .string(job.text), "retired": .boolean(removes), "runs": .integer(estate.runs),
          "schedules": .integer(estate.schedules), "messages": .integer(estate.messages),
        ], to: arguments)
      return .done
    })

  /// The job that is named, which the settings need not know any more.
  private static func name(in arguments: Arguments) throws -> JobName {
    let text = arguments[.job] ?? ""
    do {
      return try JobName(text)
    } catch {
      throw UsageError(.badWord(text, expected: "write the name of a job"), command: .retire)
    }
  }

  private static func words(for estate: Ledger.Estate) -> String {
    let oldest = estate.since.map { Instant(secondsSince1970: $0.secondsSince1970) }
    let since = oldest.map { " since \($0)" } ?? ""
    return "\(estate.runs) \(estate.runs == 1 ? "run" : "runs")\(since), \(estate.schedules)"
      + " \(estate.schedules == 1 ? "schedule" : "schedules"), \(estate.messages)"
      + " \(estate.messages == 1 ? "message" : "messages")"
  }
}

/// Why a job is not retired.
enum RetireRefused: Error {
  case unknown(JobName)
  case notOurs(JobName)
  case inUse(JobName, by: String)
  case open(JobName, run: Int)
  case changed(JobName)

  /// What there is to remove, or why it stays.
  static func check(_ job: JobName, _ session: borrowing LedgerSession) throws -> Ledger.Estate {
    guard let estate = try Ledger.estate(of: job, at: session.now, on: session.connection) else {
      throw RetireRefused.unknown(job)
    }
    guard estate.isOurs else { throw RetireRefused.notOurs(job) }
    if let daemon = estate.daemon { throw RetireRefused.inUse(job, by: daemon) }
    if let run = estate.openRun { throw RetireRefused.open(job, run: run) }
    return estate
  }
}

extension RetireRefused: EndingError {
  var exitCode: ExitCode {
    switch self {
    case .unknown: .usage
    case .notOurs: .notPermitted
    case .inUse, .open, .changed: .refusedForNow
    }
  }

  var description: String {
    switch self {
    case .unknown(let job): "the ledger knows no job '\(job)': nothing was removed"
    case .notOurs(let job):
      "only the owner of the ledger may remove '\(job)': ask with settings whose address names that"
        + " role; nothing was removed"
    case .inUse(let job, let daemon):
      "the daemon \(daemon) is alive and has code for '\(job)', which it would enter anew: replace it"
        + " by a version without the job, or stop it; nothing was removed"
    case .open(let job, let run):
      "run \(run) of '\(job)' is not over: wait for its end, or end it with 'worker cancel \(run)';"
        + " nothing was removed"
    case .changed(let job):
      "something of '\(job)' came meanwhile: ask again; what was removed stays removed"
    }
  }
}

extension Option {
  fileprivate static let retireDry = flag(
    "dry-run", "say what would be removed, and remove nothing")
}
