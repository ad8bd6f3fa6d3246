internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// The loop that decides: it sleeps until the next tick, half a minute at most.
struct SchedulerLoop {
  private let daemon: Daemon
  private let patience: Patience

  init(_ daemon: Daemon) {
    self.daemon = daemon
    patience = Patience(for: daemon.pool.lease)
  }

  func run() {
    let keeper = Reconnecting(
      daemon: daemon, what: "scheduler", wakeUp: daemon.schedulerWakeUp,
      statementLimit: { [patience] in patience.limit })
    var tickLog = TickLog()
    keeper.run(until: .draining) { connection in try decide(on: connection, &tickLog) }
  }

  private static let longestSleep = Daemon.longestSleep

  private func decide(on connection: consuming Connection, _ tickLog: inout TickLog) throws {
    var (jobs, generation) = daemon.schedule
    var scheduler = Scheduler(jobs, daemon: daemon.pool.name.text, clock: daemon.clock)
    var (looked, next, forms) = (try daemon.clock.now(on: connection), Ahead(), FormWatch())
    try scheduler.start(at: looked, on: connection)
    var (zoneWatch, orphanWatch) = (ZoneWatch(from: looked), OrphanWatch(from: looked))
    while daemon.phase == .running {
      let reading = try Reading(of: daemon.clock, on: connection)
      var now = reading.shown
      if daemon.schedule.generation == generation {
        now = next.moment(at: now)
      } else {
        let old = jobs
        (jobs, generation) = daemon.schedule
        reportZones(of: jobs, after: old, at: now)
        tell(of: try scheduler.change(to: jobs, at: now, on: connection), jobs: jobs, &tickLog)
      }
      if now - looked >= Self.longestSleep / 2 || now < looked {
        try scheduler.lookAgain(on: connection)
        looked = now
      }
      let pass = try pass(of: &scheduler, jobs, at: now, by: next, since: reading, on: connection)
      tell(of: pass, jobs: jobs, &tickLog)
      try forms.check(after: pass, following: generation, for: daemon, on: connection)
      daemon.recordPass(pass, at: now)
      try patience.judge(pass.failures.map(\.error))
      zoneWatch.check(at: now, for: daemon)
      try orphanWatch.check(at: now, for: daemon, on: connection)
      next = Ahead(of: pass)
      sleep(until: next, since: reading, following: generation)
    }
  }

  /// A pass, and the wait for the moment that it is of; nothing of it can be claimed before.
  ///
  /// The workers whose turn it will be are rung ahead of it too. They find nothing yet, but a worker that
  /// has slept for a minute is slow, and so is its backend: let them be slow before the moment.
  private func pass(
    of scheduler: inout Scheduler, _ jobs: [ScheduledJob], at now: Instant,
    by plan: Ahead, since reading: Reading, on connection: borrowing Connection
  ) throws(PostgresError) -> Scheduler.Pass {
    let began = ContinuousClock.now
    var pass = try scheduler.pass(at: now, on: connection)
    pass.took = ContinuousClock.now - began
    if now > reading.shown { daemon.wakeWorkers(for: pass.dueParts(of: jobs)) }
    try wait(until: now, within: plan.earliness, since: reading, on: connection)
    pass.completedAt = reading.shown + (ContinuousClock.now - reading.began)
    return pass
  }

  /// What the clock showed, and when that was here: what is done meanwhile must not be added to a sleep.
  private struct Reading {
    let shown: Instant
    let here: WakeUp.Time
    let began: ContinuousClock.Instant

    init(of clock: LedgerClock, on connection: borrowing Connection) throws(PostgresError) {
      shown = try clock.now(on: connection)
      here = .now
      began = .now
    }
  }

  /// Says which jobs follow other rules of their zone than before, and what that does to their next tick.
  private func reportZones(of jobs: [ScheduledJob], after old: [ScheduledJob], at now: Instant) {
    let before = Dictionary(old.map { ($0.name, $0.schedule) }) { first, _ in first }
    for job in jobs {
      let zone = job.schedule.zone
      guard let before = before[job.name], before.zone.name == zone.name, before.zone != zone
      else { continue }
      let ticks = [before, job.schedule].map { $0.next(after: now)?.description ?? "never" }
      daemon.log.info(
        "the zone \(zone.name) has new rules: next tick \(ticks[0]) -> \(ticks[1])",
        ["job": job.name.text])
    }
  }

  private func tell(
    of pass: Scheduler.Pass, jobs: [ScheduledJob], _ tickLog: inout TickLog
  ) {
    daemon.wakeWorkers(for: pass.dueParts(of: jobs))
    // What a tick waits for may have succeeded already.
    if pass.hasWaitingTicks(of: jobs) { daemon.maintenanceWakeUp.ring() }
    report(pass, &tickLog)
  }

  /// Waits until the clock shows `moment`, or has been set.
  private func wait(
    until moment: Instant, within earliness: Duration, since reading: Reading,
    on connection: borrowing Connection
  ) throws(PostgresError) {
    guard moment > reading.shown else { return }
    var here = reading.here
    let wait = ExactWait(until: moment, farthest: earliness * 2)
    try wait.run(from: reading.shown, while: daemon.phase == .running) { rest in
      daemon.schedulerWakeUp.set(for: here + rest)
      daemon.schedulerWakeUp.wait()
    } looking: { () throws(PostgresError) in
      here = .now
      return try daemon.clock.now(on: connection)
    }
  }

  /// Sleeps until shortly before the next tick, unless there is something else to do by now.
  private func sleep(until next: Ahead, since reading: Reading, following generation: Int) {
    // Whoever rang while the moment was awaited has not been heard yet.
    guard daemon.phase == .running, daemon.schedule.generation == generation else { return }
    let rest = min(next.tick.map { $0 - reading.shown } ?? Self.longestSleep, Self.longestSleep)
    daemon.schedulerWakeUp.set(for: reading.here + (rest - next.earliness))
    daemon.schedulerWakeUp.wait()
  }

  private func report(_ pass: Scheduler.Pass, _ tickLog: inout TickLog) {
    for (job, ticks) in pass.decided { tickLog.report(ticks, of: job, in: daemon.log) }
    for (job, since) in pass.entered {
      daemon.log.warning(
        "the ledger had no row for the job: somebody deleted it; it is entered anew, and every tick"
          + " since \(since) is decided", ["job": job.text])
    }
    for (job, step) in pass.clockSteps { daemon.log.error("\(step)", ["job": job.text]) }
    for (job, error) in pass.failures {
      daemon.log.error("cannot decide: \(error); the other jobs go on", ["job": job.text])
    }
  }
}

extension SchedulerLoop {
  /// The next tick, and how long before it the jobs are decided whose tick it is.
  private struct Ahead {
    var tick: Instant?
    var earliness = Duration.milliseconds(20)

    init() {}

    /// A decision takes some tenths of a millisecond: those of many jobs begin as much earlier.
    init(of pass: Scheduler.Pass) {
      tick = pass.nextTick
      earliness += min(.milliseconds(pass.jobsAtNextTick), .milliseconds(500))
    }

    /// As of when to decide: what is about to come is decided already, so that its moment finds it written.
    ///
    /// No part may be claimed before its moment: to be early with the decision makes nothing early.
    func moment(at now: Instant) -> Instant {
      guard let tick, tick > now, tick - now <= earliness * 2 else { return now }
      return tick
    }
  }
}
