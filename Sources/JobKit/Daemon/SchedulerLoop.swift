internal import LocalTime
internal import Postgres

/// The loop that decides: it sleeps until the next tick, half a minute at most.
struct SchedulerLoop {
  private let daemon: Daemon

  init(_ daemon: Daemon) {
    self.daemon = daemon
  }

  func run() {
    let keeper = Reconnecting(daemon: daemon, what: "scheduler", alarm: daemon.schedulerAlarm)
    keeper.run(until: .draining) { connection in try decide(on: connection) }
  }

  private static let longestSleep = Duration.seconds(30)

  private func decide(on connection: consuming Connection) throws {
    var (jobs, generation) = daemon.schedule
    var scheduler = Scheduler(jobs, daemon: daemon.crew.name.text)
    var looked = try daemon.clock.now(on: connection)
    try scheduler.start(at: looked, on: connection)
    var (zoneWatch, orphanWatch) = (ZoneWatch(from: looked), OrphanWatch(from: looked))
    var next: Instant?
    while daemon.phase == .running {
      let now = try now(reaching: next, on: connection)
      // What the pass takes must not be added to the sleep.
      let here = Alarm.Time.now
      if daemon.schedule.generation != generation {
        let old = jobs
        (jobs, generation) = daemon.schedule
        reportZones(of: jobs, after: old, at: now)
        tell(of: try scheduler.change(to: jobs, at: now, on: connection), jobs: jobs)
      }
      if now - looked >= Self.longestSleep / 2 || now < looked {
        try scheduler.lookAgain(on: connection)
        looked = now
      }
      let pass = try scheduler.pass(at: now, on: connection)
      tell(of: pass, jobs: jobs)
      daemon.noteReady()
      // Behind the pass, which must not wait for files.
      zoneWatch.look(at: now, for: daemon)
      try orphanWatch.look(at: now, for: daemon, on: connection)
      next = pass.nextFiring
      daemon.schedulerAlarm.set(for: here + Self.sleep(until: next, at: now))
      daemon.schedulerAlarm.wait()
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

  private func tell(of pass: Scheduler.Pass, jobs: [ScheduledJob]) {
    daemon.wakeWorkers(for: parts(in: pass, of: jobs))
    report(pass)
  }

  /// What the clock shows; when `next` is about to come, it is looked at until it has.
  ///
  /// A timer is late by what a sleeping processor takes to wake: so the loop wakes before the moment.
  private func now(
    reaching next: Instant?, on connection: borrowing Connection
  ) throws(PostgresError) -> Instant {
    var now = try daemon.clock.now(on: connection)
    while let next, now < next, next - now <= Self.earliness * 2, daemon.phase == .running {
      now = try daemon.clock.now(on: connection)
    }
    return now
  }

  private static let earliness = Duration.milliseconds(2)

  private static func sleep(until next: Instant?, at now: Instant) -> Duration {
    min(next.map { $0 - now } ?? longestSleep, longestSleep) - earliness
  }

  private func parts(in pass: Scheduler.Pass, of jobs: [ScheduledJob]) -> Int {
    pass.decided.reduce(0) { sum, decided in
      let parts = jobs.first { $0.name == decided.job }?.parts ?? 1
      return sum + decided.ticks.count { $0.fate == .due } * parts
    }
  }

  private func report(_ pass: Scheduler.Pass) {
    for (job, ticks) in pass.decided {
      for tick in ticks where tick.fate != .due {
        daemon.log.warning(
          "\(tick.fate)", ["job": job.text, "scheduled_for": tick.scheduledFor.description])
      }
    }
    for (job, step) in pass.clockSteps { daemon.log.error("\(step)", ["job": job.text]) }
    for (job, error) in pass.failures {
      daemon.log.error("cannot decide: \(error); the other jobs go on", ["job": job.text])
    }
  }
}

extension Tick.Fate: CustomStringConvertible {
  /// What became of the tick, in the words of the ledger.
  public var description: String {
    switch self {
    case .due: "due"
    case .skipped(let reason): "skipped: \(reason)"
    case .missed(let reason): "missed: \(reason)"
    case .collapsed(let first, let count, let reason):
      "\(count) ticks since \(first) collapsed: \(reason)"
    }
  }
}
