internal import JobKit
internal import Ledger
import LocalTime

/// All that was heard of a daemon, as a value: who asks works on a copy.
struct MetricsState: Sendable {
  var figures = MetricStore()

  /// When each loop turned last, by the time that this machine was awake.
  private(set) var turns: [String: Duration] = [:]
  private(set) var jobs: [ScheduledJob] = []
  private(set) var snapshot: HealthSnapshot?
  private(set) var snapshotAt = Duration.zero

  /// By when every job had its row, by the ledger's clock: the first pass over the jobs that were taken on last was
  /// complete then.
  private var enteredAt: Instant?
  private(set) var isReady = false
  private(set) var isDraining = false
  private(set) var isConnected = false

  /// What the ledger's clock showed, and when that was here.
  private var reading: (shown: Instant, at: Duration)?
}

extension MetricsState {
  /// Whether the health snapshot is of a time at which every job had been entered: one from before the scheduler
  /// took on a job cannot know it.
  var knowsEveryJob: Bool {
    guard let snapshot, let enteredAt else { return false }
    return snapshot.now >= enteredAt
  }

  /// What the ledger's clock shows by now, as far as this machine's tells.
  func now(at time: Duration) -> Instant? {
    reading.map { $0.shown + (time - $0.at) }
  }

  /// As of when jobs are judged: the moment of the health snapshot.
  ///
  /// When there has been none for too long, nobody knows of anything decided since: so, by now.
  func judged(at time: Duration) -> Instant? {
    guard let snapshot else { return nil }
    return time - snapshotAt > .seconds(30)
      ? max(snapshot.now, now(at: time) ?? snapshot.now) : snapshot.now
  }

  mutating func handle(_ event: DaemonEvent, at time: Duration) {
    switch event {
    case .scheduled(let jobs): take(jobs, at: time)
    case .passed(let pass, let now): record(pass, at: pass.completedAt ?? now, time)
    case .maintained(let now): recordPass(at: now, time)
    case .tookSnapshot(let snapshot): record(snapshot, time)
    case .began(let part): record(beginningOf: part, at: now(at: time))
    case .ended(let execution): record(execution)
    case .rescued(let job): figures.add(to: .rescuedParts, job.text)
    case .wroteOff(let job): figures.add(to: .missedRuns, job.text)
    case .lostConnection(let loop): record(lossBy: loop, time)
    case .toldToEnd: break
    case .draining:
      isDraining = true
      // It decides nothing any more: that its loop stands is no news.
      turns["scheduler"] = nil
    }
  }

  private mutating func recordPass(at now: Instant, _ time: Duration) {
    (turns["maintenance"], isConnected, reading) = (time, true, (now, time))
    figures.set(.lastMaintenance, to: now.seconds)
  }

  private mutating func record(lossBy loop: String, _ time: Duration) {
    figures.add(to: .connectionFailures, loop)
    guard turns[loop] != nil else { return }
    turns[loop] = time
    if loop == "maintenance" { isConnected = false }
  }

  private mutating func record(_ snapshot: HealthSnapshot, _ time: Duration) {
    let known = Dictionary(
      (self.snapshot?.jobs ?? []).compactMap { job in job.lastSuccess.map { (job.name, $0) } },
      uniquingKeysWith: max)
    self.snapshot = snapshot.remembering(known)
    snapshotAt = time
    figures.set(.lastHealthSnapshot, to: snapshot.now.seconds)
    figures.set(.daemons, to: Double(snapshot.daemons))
  }

  private mutating func record(_ pass: Scheduler.Pass, at now: Instant, _ time: Duration) {
    (isReady, reading) = (true, (now, time))
    // One over the jobs of before may end after others were taken on. Of several the earliest: a clock may be set back.
    if pass.jobs.isSuperset(of: jobs.map(\.name)) { enteredAt = min(enteredAt ?? now, now) }
    if !isDraining { turns["scheduler"] = time }
    figures.set(.lastPass, to: now.seconds)
    figures.observe(pass.took / .seconds(1), in: .passDuration)
    for (job, ticks) in pass.decided {
      for tick in ticks { count(tick, of: job.text, at: now) }
    }
    for (job, _) in pass.failures { figures.add(to: .decisionFailures, job.text) }
    for (job, _) in pass.clockSteps { figures.add(to: .clockSteps, job.text) }
  }

  private mutating func count(_ tick: Tick, of job: String, at now: Instant) {
    if tick.fate == .due {
      figures.observe(max(0, (now - tick.scheduledFor) / .seconds(1)), in: .tickLateness)
    }
    let ticks = if case .collapsed(_, let count, _) = tick.fate { count } else { 1 }
    let fate = tick.fate.cause?.state ?? .due
    figures.add(Double(ticks), to: .ticksDecided, job, fate.rawValue)
  }

  private mutating func record(beginningOf part: ClaimedPart, at now: Instant?) {
    figures.add(to: .partsRunning, part.job.text)
    guard let now, part.trigger == .schedule, part.failures + part.workerLosses == 0,
      part.saved.done == 0
    else { return }
    let delay = max(0, (now - part.scheduledFor) / .seconds(1))
    figures.observe(delay, in: .partStartDelay, part.job.text)
  }

  private mutating func record(_ execution: Worker.PartExecution) {
    let job = execution.part.job.text
    figures.add(-1, to: .partsRunning, job)
    figures.add(to: .partsEnded, job, execution.end.word)
    figures.observe(execution.took / .seconds(1), in: .partDuration, job)
    let counters = execution.progress.counters
    for (name, count) in zip(counters.names, counters.values) {
      figures.add(
        Double(max(0, count - execution.part.saved.counters[name])), to: .items, job, name)
    }
  }
}

extension MetricsState {
  /// Makes every series of these jobs known: a rate needs a zero to begin at.
  private mutating func take(_ jobs: [ScheduledJob], at time: Duration) {
    (self.jobs, enteredAt) = (jobs, nil)
    for loop in ["maintenance", "scheduler"] where !isDraining { turns[loop] = turns[loop] ?? time }
    figures.expect(.passDuration)
    figures.expect(.tickLateness)
    for job in jobs.map(\.name.text) {
      for fate in [RunState.due, .skipped, .missed] {
        figures.add(0, to: .ticksDecided, job, fate.rawValue)
      }
      for outcome in PartOutcome.words { figures.add(0, to: .partsEnded, job, outcome) }
      for metric in [
        Metric.partsRunning, .rescuedParts, .missedRuns, .decisionFailures, .clockSteps,
      ] {
        figures.add(0, to: metric, job)
      }
      figures.expect(.partDuration, job)
      figures.expect(.partStartDelay, job)
    }
  }

  /// The figures, with how every job stands.
  func figuresOfJobs(at time: Duration) -> MetricStore {
    var figures = figures
    let pauses = Dictionary(
      (snapshot?.jobs ?? []).compactMap { job in job.pause.map { (job.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    for job in jobs {
      figures.set(.jobEnabled, job.name.text, to: job.isEnabled ? 1 : 0)
      figures.set(.jobLateAfter, job.name.text, to: job.policies.lateAfter / .seconds(1))
      guard job.isEnabled, let now = now(at: time), let next = job.schedule.nextRun(after: now),
        pauses[job.name]?.covers(next) != true
      else { continue }
      figures.set(.nextTick, job.name.text, to: next.seconds)
    }
    guard let snapshot, let judged = judged(at: time) else { return figures }
    let scheduled = Dictionary(
      jobs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for job in snapshot.jobs { show(job, as: scheduled[job.name], at: judged, in: &figures) }
    return figures
  }

  private func show(
    _ job: HealthSnapshot.Job, as scheduled: ScheduledJob?, at now: Instant,
    in figures: inout MetricStore
  ) {
    let name = job.name.text
    let late = scheduled?.isEnabled ?? true ? job.lateness(as: scheduled, at: now) : .zero
    figures.set(.jobLate, name, to: late / .seconds(1))
    let paused = job.pause.flatMap { $0.covers(now) ? (now - $0.since) / .seconds(1) : nil }
    figures.set(.jobPaused, name, to: paused ?? 0)
    let awaiting = job.awaiting.map { max(0, (now - $0.since) / .seconds(1)) }
    figures.set(.jobAwaiting, name, to: awaiting ?? 0)
    figures.set(.jobHeld, name, to: job.held == nil ? 0 : 1)
    figures.set(.jobOrphaned, name, to: job.hasDaemon || scheduled?.isEnabled == false ? 0 : 1)
    if let success = job.lastSuccess { figures.set(.lastSuccess, name, to: success.seconds) }
  }
}

extension HealthSnapshot {
  /// The same, with the successes that were known before of jobs whose newest ticks have none.
  fileprivate func remembering(_ known: [JobName: Instant]) -> HealthSnapshot {
    HealthSnapshot(
      now: now, daemons: daemons, ready: ready, draining: draining, lastSeen: lastSeen,
      jobs: jobs.map { job in
        var job = job
        job.lastSuccess = job.lastSuccess ?? known[job.name]
        return job
      })
  }
}

extension Instant {
  /// Seconds since 1970 with their fraction.
  fileprivate var seconds: Double { Double(microseconds) / 1_000_000 }
}

extension PartOutcome {
  fileprivate static let words = [
    "succeeded", "failed", "retried", "cancelled", "held", "released", "lost", "unwritten",
  ]

  /// What became of the part, in one word.
  fileprivate var word: String {
    switch self {
    case .succeeded: "succeeded"
    case .cancelled: "cancelled"
    case .failed: "failed"
    case .retry: "retried"
    case .held: "held"
    case .released: "released"
    case .lost: "lost"
    case .unwritten: "unwritten"
    }
  }
}
