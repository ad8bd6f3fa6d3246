public import LocalTime

/// What the ledger says of all jobs and daemons, as of one moment.
public struct Survey: Sendable, Equatable {
  public let now: Instant

  /// How many daemons are alive, whoever asks included.
  public let daemons: Int

  /// How many of them have decided what is due, and begin it.
  public let ready: Int

  /// How many of them begin nothing new.
  public let draining: Int

  public let jobs: [Job]

  /// One job as the ledger knows it.
  public struct Job: Sendable, Equatable {
    public let name: JobName
    public let decidedUntil: Instant
    public let pause: Pause?

    /// The oldest run that waits for approval, and since when it would have run.
    public let held: Waiting?

    /// The oldest tick that is due and that no worker has begun.
    public let waiting: Waiting?

    /// When a scheduled run succeeded last, among those that were looked at.
    public internal(set) var lastSuccess: Instant?

    public let hasDaemon: Bool
  }

  public struct Waiting: Sendable, Equatable {
    public let run: Int
    public let since: Instant
  }
}

extension Survey {
  /// Everything that is wrong with the schedule, given how each job is scheduled; as of `now`.
  public func problems(of scheduled: [ScheduledJob], at now: Instant) -> [HealthProblem] {
    guard daemons > 0 else { return [.noDaemon] }
    return jobs.flatMap { job in
      problems(of: job, as: scheduled.first { $0.name == job.name }, at: now)
    } + unentered(among: scheduled).map { .unentered($0) }
  }

  /// The jobs that are enabled and have no row, though a daemon is through with its first pass.
  public func unentered(among scheduled: [ScheduledJob]) -> [JobName] {
    guard ready > 0 else { return [] }
    let known = Set(jobs.map(\.name))
    return scheduled.filter { $0.isEnabled && !known.contains($0.name) }.map(\.name)
  }

  /// Without a schedule, which another version of the program may have, a job is judged by the rest.
  private func problems(
    of job: Job, as scheduled: ScheduledJob?, at now: Instant
  ) -> [HealthProblem] {
    guard scheduled?.isEnabled ?? true else { return [] }
    var problems: [HealthProblem] = []
    let limit = scheduled?.policies.lateAfter ?? Policies().lateAfter
    if let scheduled, let tick = job.undecidedTick(of: scheduled, at: now), now - tick > limit {
      problems.append(.undecided(job.name, tick: tick, late: now - tick))
    }
    if let waiting = job.waiting, case let late = job.wait(as: scheduled, at: now), late > limit {
      problems.append(.waiting(job.name, run: waiting.run, late: late))
    }
    if let held = job.held, now - held.since > limit {
      problems.append(.held(job.name, run: held.run, since: now - held.since))
    }
    let longest = scheduled?.pausedAfter ?? Pause.forgottenAfter
    if let pause = job.pause, pause.isForgotten(after: longest, at: now) {
      problems.append(.paused(job.name, by: pause.author, since: now - pause.since))
    }
    if !job.hasDaemon { problems.append(.orphaned(job.name)) }
    return problems
  }
}

extension Survey.Job {
  /// How late the job's oldest tick is that has no row, or that no worker has begun.
  public func lateness(as scheduled: ScheduledJob?, at now: Instant) -> Duration {
    let undecided = scheduled.flatMap { undecidedTick(of: $0, at: now) }.map { now - $0 } ?? .zero
    return max(undecided, wait(as: scheduled, at: now))
  }

  /// The oldest tick that should have a row by `now` and has none.
  func undecidedTick(of scheduled: ScheduledJob, at now: Instant) -> Instant? {
    scheduled.schedule.next(after: decidedUntil).flatMap { $0 <= now ? $0 : nil }
  }

  /// How long the oldest run has waited that is due, the put-off of its job not counted.
  func wait(as scheduled: ScheduledJob?, at now: Instant) -> Duration {
    waiting.map { max(.zero, now - $0.since - (scheduled?.delay ?? .zero)) } ?? .zero
  }
}

extension Pause {
  /// A pause without an end that nobody seems to remember.
  func isForgotten(after longest: Duration, at now: Instant) -> Bool {
    until == nil && now - since > longest
  }
}
