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

  /// How many ticks one request may look at.
  public static let most = 10_000

  /// The ticks of a job from `start` on and before `end`.
  public init(
    of job: ScheduledJob, from start: Instant, to end: Instant, reprocess: Reprocess,
    by author: String
  ) throws(BackfillError) {
    guard job.policies.mayBackfill else { throw .never(job.name) }
    let firings = job.schedule.firings(
      after: start - .microseconds(1), through: end - .microseconds(1), limit: Self.most + 1)
    guard firings.count <= Self.most else { throw .tooMany(job.name, first: firings[Self.most]) }
    ticks = firings.filter { job.schedule.exclusions.reason(at: $0) == nil }
    self.job = job
    self.reprocess = reprocess
    self.author = author
  }
}

/// Why ticks of the past are not run.
public enum BackfillError: Error, Sendable, Equatable {
  case never(JobName)
  case tooMany(JobName, first: Instant)
}

extension BackfillError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .never(let job):
      "'\(job)' is never backfilled, because what it does late reaches people late: nothing was entered"
    case .tooMany(let job, let first):
      "'\(job)' has more than \(Backfill.most) ticks in that time: write --to \(first), then go on from"
        + " there"
    }
  }
}
