public import JobKit
public import LocalTime

/// A request to run ticks of the past again, or for the first time.
public struct Backfill: Sendable {
  public let job: ScheduledJob
  public let reprocess: Reprocess
  public let author: String

  /// The ticks that are looked at, oldest first; none of an excluded day, which was never to run.
  public let ticks: [Instant]

  /// Which of the ticks are run.
  public enum Reprocess: String, Sendable, CaseIterable {
    /// Those that never ran.
    case missing

    /// Those that ran and did not succeed.
    case failed

    /// Every one.
    case all
  }

  /// How many parts one request may enter.
  public static let most = 10_000

  /// The ticks of a job from `start` on and before `end`, by the schedules of the time.
  ///
  /// What was not decided yet is not the past; what is older than the ledger remembers may have run.
  public init(
    of job: ScheduledJob, from start: Instant, to end: Instant, reprocess: Reprocess,
    by author: String, history: ScheduleHistory? = nil, remembered: Instant? = nil
  ) throws(BackfillError) {
    guard job.policies.mayBackfill else { throw .never(job.name) }
    if let remembered, start < remembered, reprocess != .all {
      throw .forgotten(job.name, since: remembered)
    }
    let limit = max(1, Self.most / job.parts)
    let (first, last) = (start - .microseconds(1), end - .microseconds(1))
    let wanted =
      history?.ticks(after: first, through: last, limit: limit + 1)
      ?? job.schedule.ticks(after: first, through: last, limit: limit + 1)
    guard wanted.count <= limit else {
      throw .tooMany(job.name, most: limit, first: wanted[limit])
    }
    ticks = wanted.filter { job.schedule.exclusions.reason(at: $0) == nil }
    self.job = job
    self.reprocess = reprocess
    self.author = author
  }
}

/// Why ticks of the past are not run.
public enum BackfillError: Error, Sendable, Equatable {
  case never(JobName)

  /// The settings describe the job, and do not say that its past may be run.
  case notSet(JobName)
  case tooMany(JobName, most: Int, first: Instant)
  case forgotten(JobName, since: Instant)
}

extension BackfillError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .never(let job):
      "'\(job)' is never backfilled: its next run does what missed ones would have done, or it would be too"
        + " late for them; nothing was entered"
    case .notSet(let job):
      "'\(job)' is not backfilled, as its table in the settings does not say 'backfill = true'; nothing"
        + " was entered"
    case .tooMany(let job, let most, let first):
      "'\(job)' has more than \(most) ticks in that time: write --to \(first), then go on from there"
    case .forgotten(let job, let tick):
      "the ledger remembers what '\(job)' did since \(tick) only: begin there, or run every tick"
        + " again with --reprocess all"
    }
  }
}
