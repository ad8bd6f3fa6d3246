internal import Dispatch
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
    var (next, swept): (Instant?, Instant) = (nil, looked)
    while daemon.phase == .running {
      let now = try now(reaching: next, on: connection)
      // What the pass takes must not be added to the sleep.
      let here = DispatchWallTime.now()
      if daemon.schedule.generation != generation {
        (jobs, generation) = daemon.schedule
        scheduler = Scheduler(jobs, daemon: daemon.crew.name.text)
        try scheduler.start(at: now, on: connection)
      }
      if now - looked >= Self.longestSleep / 2 {
        try scheduler.lookAgain(on: connection)
        looked = now
      }
      swept = try writeOffOrphans(at: now, since: swept, on: connection)
      let pass = try scheduler.pass(at: now, on: connection)
      report(pass)
      daemon.noteReady()
      daemon.wakeWorkers(for: parts(in: pass, of: jobs))
      let sleep = min(pass.nextFiring.map { $0 - now } ?? Self.longestSleep, Self.longestSleep)
      next = pass.nextFiring
      daemon.schedulerAlarm.set(for: here + (sleep - Self.earliness))
      daemon.schedulerAlarm.wait()
    }
  }

  /// How often jobs that nobody has code for are looked for.
  private static let sweeping = Duration.seconds(600)

  /// A failure waits for the next time: it must not stop what there is code for.
  private func writeOffOrphans(
    at now: Instant, since last: Instant, on connection: borrowing Connection
  ) throws -> Instant {
    guard now - last >= Self.sweeping else { return last }
    let orphans = Orphans(daemon: daemon.crew.name.text, zones: daemon.crew.zones)
    do {
      for (job, ticks) in try orphans.writeOff(at: now, on: connection) {
        daemon.log.warning(
          "no daemon alive has code for it: its ticks are skipped",
          ["job": job.text, "rows": "\(ticks)"])
      }
    } catch let error as PostgresError where !error.needsNewConnection {
      daemon.log.error("jobs without code: \(error); tried again in \(Self.sweeping)")
    }
    return now
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
