internal import LocalTime
internal import Postgres

/// The loop that looks at the ledger every second: it keeps leases alive, takes back what was lost,
/// and wakes the workers when something is due.
struct HeartLoop {
  private let daemon: Daemon

  init(_ daemon: Daemon) {
    self.daemon = daemon
  }

  func run() {
    let keeper = Reconnecting(daemon: daemon, what: "heart", alarm: daemon.heartAlarm)
    keeper.run(until: .ended) { connection in try beat(on: connection) }
  }

  /// Somewhat more than a second, so that an idle minute has fewer than sixty queries in all.
  private static let rhythm = Duration.milliseconds(1250)

  /// How often a daemon shows that it is alive.
  private static let showing = Duration.seconds(15)

  private func beat(on connection: consuming Connection) throws {
    let jobs = Array(daemon.crew.jobs.keys)
    var shown: Instant?
    while daemon.phase < .ended {
      let glance = try Ledger.glance(at: jobs, by: daemon.clock, on: connection)
      try keepLeases(at: glance.now, on: connection)
      try tidy(glance, on: connection)
      if glance.hasDueParts, daemon.phase == .running { daemon.wakeWorkers() }
      if shown.map({ glance.now - $0 >= Self.showing }) ?? true {
        try Ledger.showAlive(
          daemon.crew.name, jobs: jobs, draining: daemon.phase == .draining, at: glance.now,
          on: connection)
        shown = glance.now
      }
      daemon.heartAlarm.set(after: Self.rhythm)
      daemon.heartAlarm.wait()
    }
    try Ledger.forget(
      daemon.crew.name, at: daemon.clock.now(on: connection), on: connection)
  }

  private func keepLeases(at now: Instant, on connection: borrowing Connection) throws {
    let holdings = daemon.crew.holdings
    let fences = holdings.fences
    guard !fences.isEmpty else { return }
    let pulse = try Ledger.extendLeases(
      of: fences, by: daemon.crew.lease, at: now, on: connection)
    holdings.hear(pulse, of: fences)
  }

  private func tidy(_ glance: Ledger.Glance, on connection: borrowing Connection) throws {
    if glance.hasSilentParts {
      let caps = daemon.crew.jobs.map { ($0.key, $0.value.policies.retry.interruptions) }
      for part in try Ledger.rescue(caps, at: glance.now, on: connection) {
        daemon.log.warning(
          part.isOver
            ? "lost its worker too often: it has failed" : "lost its worker: another goes on",
          [
            "job": part.job.text, "run": "\(part.run)", "part": "\(part.number)",
            "lost": part.lostWorker,
          ])
      }
    }
    if glance.hasCancelledParts { _ = try Ledger.endCancelled(at: glance.now, on: connection) }
    if glance.hasLateRuns { _ = try Ledger.missLate(at: glance.now, on: connection) }
  }
}
