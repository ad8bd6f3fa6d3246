public import JobKit
public import Ledger
public import LocalTime

/// What keeps one job from doing what its schedule says, judged from one look at the ledger.
///
/// It is the one judgement: `why`, `jobs`, `health`, `audit`, `doctor` and `/health/schedule` are views of it.
public struct JobDiagnosis: Sendable, Equatable {
  public let job: JobName

  /// What is wrong, the cause before its consequences.
  public let problems: [HealthProblem]

  /// The ticks whose moment has come and of which nobody has decided anything.
  public let undecided: Undecided?

  /// Ticks that have no row yet.
  public struct Undecided: Sendable, Equatable {
    public let first: Instant

    /// Up to when they are counted: those of the last moments may be about to be decided.
    public let through: Instant
    public let count: Int
    public let reason: Reason

    /// Why nobody has decided them.
    public enum Reason: Sendable, Equatable {
      case noDaemon(since: Instant?)
      case noCode
      case late
    }
  }

  /// Without a schedule, which another version of the program may have, a job is judged by the rest.
  public init(
    of job: HealthSnapshot.Job, as scheduled: ScheduledJob?, in snapshot: HealthSnapshot,
    at now: Instant
  ) {
    self.job = job.name
    problems =
      scheduled?.isEnabled ?? true ? Self.problems(of: job, as: scheduled, at: now) : []
    undecided = (job.isScheduled ? scheduled : nil).flatMap {
      Undecided(of: $0, after: job.decidedUntil, by: job.hasDaemon, in: snapshot, at: now)
    }
  }
}

extension JobDiagnosis {
  private static func problems(
    of job: HealthSnapshot.Job, as scheduled: ScheduledJob?, at now: Instant
  ) -> [HealthProblem] {
    var problems: [HealthProblem] = []
    if let blocked = job.blocked {
      // Without its schedule nobody knows of a tick that was not skipped.
      let hasSkipped = scheduled.map { job in
        job.schedule.next(after: blocked.since - .microseconds(1)).map { $0 <= now } ?? false
      }
      problems.append(
        .blocked(
          job.name, by: blocked.reason,
          since: hasSkipped ?? true ? now - blocked.since : nil))
    }
    if let failing = job.failing, failing.isProblem {
      problems.append(failing.problem(of: job.name))
    }
    problems += lateness(of: job, as: scheduled, at: now)
    let longest = scheduled?.pausedAfter ?? Pause.forgottenAfter
    if let pause = job.pause, pause.isForgotten(after: longest, at: now) {
      problems.append(.paused(job.name, by: pause.author, since: now - pause.since))
    }
    if !job.hasDaemon { problems.append(.orphaned(job.name)) }
    return problems
  }

  /// What takes longer than the job's `late_after`.
  private static func lateness(
    of job: HealthSnapshot.Job, as scheduled: ScheduledJob?, at now: Instant
  ) -> [HealthProblem] {
    var problems: [HealthProblem] = []
    let limit = scheduled?.policies.lateAfter ?? Policies().lateAfter
    if let scheduled, let tick = job.undecidedTick(of: scheduled, at: now), now - tick > limit {
      problems.append(.undecided(job.name, tick: tick, late: now - tick))
    }
    if let waiting = job.waiting, case let late = job.wait(as: scheduled, at: now), late > limit {
      problems.append(.waiting(job.name, run: waiting.run, late: late))
    }
    if let awaiting = job.awaiting, now - awaiting.until > limit {
      problems.append(.awaiting(job.name, run: awaiting.run, late: now - awaiting.until))
    }
    if let held = job.held, now - held.since > limit {
      problems.append(.held(job.name, run: held.run, since: now - held.since))
    }
    return problems
  }
}

extension JobDiagnosis.Undecided {
  /// The ticks after `cursor`; while a daemon is alive, but for those that its next pass may decide.
  fileprivate init?(
    of job: ScheduledJob, after cursor: Instant, by hasDaemon: Bool, in snapshot: HealthSnapshot,
    at now: Instant
  ) {
    let end = hasDaemon ? now - Daemon.longestSleep : now
    guard let first = job.schedule.next(after: cursor), first <= end else { return nil }
    (self.first, through) = (first, end)
    count = job.schedule.count(from: first, through: end)
    reason =
      snapshot.daemons == 0 ? .noDaemon(since: snapshot.lastSeen) : hasDaemon ? .late : .noCode
  }
}

extension JobDiagnosis.Undecided: CustomStringConvertible {
  public var description: String { words(\.description) }

  /// The same with instants as `write` writes them.
  public func words(_ write: (Instant) -> String) -> String {
    Self.sentence(count, since: write(first), reason.words(write))
  }

  /// So many ticks are not decided, and why.
  public static func sentence(_ count: Int, since first: String, _ reason: String) -> String {
    "\(count.counted("tick")) since \(first) \(count == 1 ? "is" : "are") not decided yet: \(reason)"
  }
}

extension JobDiagnosis.Undecided.Reason: CustomStringConvertible {
  public var description: String { words(\.description) }

  /// The reason as the end of a sentence, with instants as `write` writes them.
  public func words(_ write: (Instant) -> String) -> String {
    switch self {
    case .noDaemon(let since?): "no daemon since \(write(since.wholeSecond))"
    case .noDaemon(nil): "no daemon is alive"
    case .noCode: "no daemon alive has code for it"
    case .late: "the daemons are behind: their log says why"
    }
  }
}

extension Instant {
  /// The second that it is in.
  public var wholeSecond: Instant { Instant(secondsSince1970: secondsSince1970) }
}
