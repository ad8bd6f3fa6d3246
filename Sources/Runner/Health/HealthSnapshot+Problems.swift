public import JobKit
public import Ledger
public import LocalTime

extension HealthSnapshot {
  /// What the ledger tells of each job, judged, given how each is scheduled; as of `now`.
  public func diagnoses(of scheduled: [ScheduledJob], at now: Instant) -> [JobDiagnosis] {
    let known = Dictionary(
      scheduled.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return jobs.map { job in
      JobDiagnosis(of: job, as: known[job.name], in: self, at: now)
    }
  }

  /// The jobs that are enabled and have no row, though a daemon is through with its first pass.
  public func unentered(among scheduled: [ScheduledJob]) -> [JobName] {
    guard ready > 0 else { return [] }
    let known = Set(jobs.map(\.name))
    return scheduled.filter { $0.isEnabled && !known.contains($0.name) }.map(\.name)
  }

  /// Everything that is wrong with the schedule, given how each job is scheduled; as of `now`.
  public func problems(of scheduled: [ScheduledJob], at now: Instant) -> [HealthProblem] {
    guard daemons > 0 else { return [.noDaemon(since: lastSeen)] }
    return diagnoses(of: scheduled, at: now).flatMap(\.problems)
      + unentered(among: scheduled).map { .unentered($0) }
  }
}

extension HealthSnapshot.Failing {
  func problem(of job: JobName) -> HealthProblem {
    .failing(job, run: run, times: times, since: since, reason: PublicReason(reason).text)
  }
}

extension HealthSnapshot.Job {
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
