internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// The loop that looks at the ledger every second: it keeps leases alive, takes back what was lost,
/// and wakes the workers when something is due.
struct MaintenanceLoop {
  private let daemon: Daemon

  init(_ daemon: Daemon) {
    self.daemon = daemon
  }

  func run() {
    var grace = ReclaimGrace(lease: daemon.pool.lease)
    let keeper = Reconnecting(
      daemon: daemon, what: "maintenance", wakeUp: daemon.maintenanceWakeUp,
      statementLimit: { [patience] in patience }, longestWait: patience)
    keeper.run(until: .ended) { connection in try pass(on: connection, &grace) }
  }

  /// Somewhat more than a second, so that an idle minute has fewer than sixty queries in all.
  static let rhythm = Duration.milliseconds(1250)

  /// A third of a lease: whatever a statement waits for, or a server that is away, the next pass comes in time
  /// to extend the leases.
  ///
  /// With less than two seconds it would give up on servers that are merely slow.
  private var patience: Duration { max(daemon.pool.lease / 3, .seconds(2)) }

  /// How far a part of each job is ever put off, by the settings of the moment.
  private var delays: [JobName: Duration] { daemon.pool.jobs.mapValues(\.policies.longestDelay) }

  private func pass(on connection: consuming Connection, _ grace: inout ReclaimGrace) throws {
    let jobs = Array(daemon.pool.jobs.keys)
    var heartbeat = DaemonHeartbeat()
    var purger = RetentionPurger()
    var needs = NeedsWatch()
    var ticks = WaitingTickScan()
    var notifying = Notifying(for: daemon)
    while daemon.phase < .ended {
      // First of all: whatever is slow or fails after it, the parts of this daemon stay its own.
      try keepLeases(on: connection)
      let query = try Ledger.maintenanceQuery(
        of: daemon.pool.name, at: jobs, scheduling: daemon.schedule.jobs.map(\.name),
        lease: daemon.pool.lease, delays: delays, by: daemon.clock, for: daemon.notifier?.watch,
        on: connection)
      let mayJudge = grace.isOver(at: ReclaimGrace.Pass(shown: query.now, here: .now))
      try repair(query, jobs: jobs, judging: mayJudge, &ticks, on: connection)
      if query.hasDueParts, daemon.phase == .running { daemon.wakeWorkers() }
      if let author = query.drainAskedBy { daemon.hearDrain(by: author) }
      try heartbeat.write(daemon, jobs: jobs, at: query.now, on: connection)
      try needs.pass(daemon, at: query.now, on: connection)
      try purger.pass(
        daemon.retention, of: jobs, parts: daemon.mostParts, at: query.now, log: daemon.log,
        on: connection)
      try notifying.pass(query, on: connection)
      daemon.publish(.maintained(at: query.now))
      daemon.maintenanceWakeUp.set(after: Self.wait(after: query))
      daemon.maintenanceWakeUp.wait()
    }
    try Ledger.forget(
      daemon.pool.name, at: daemon.clock.now(on: connection), on: connection)
    Failpoint.drainForgotten.pass()
  }

  /// Until the next pass: the rhythm, or the end of a lease that nobody extends any more.
  private static func wait(after query: Ledger.MaintenanceQuery) -> Duration {
    guard let end = query.nextLeaseEnd, end >= query.now else { return rhythm }
    return min(rhythm, end - query.now + .milliseconds(1))
  }

  private func keepLeases(on connection: borrowing Connection) throws {
    let activeParts = daemon.pool.activeParts
    let fences = activeParts.fences
    guard !fences.isEmpty else { return }
    // From before the question: by the server's clock the lease ends later, if anything.
    let end = ContinuousClock.now + daemon.pool.lease
    let pulse = try Ledger.extendLeases(
      of: fences, by: daemon.pool.lease, at: daemon.clock.readingOnTheSpot, on: connection)
    Failpoint.leasesExtended.pass()
    activeParts.apply(pulse, of: fences, leaseEnd: end)
  }

  /// Puts in order what others left.
  ///
  /// Whatever fails here is tried again at the next pass: it must not stop the passes, or every lease of this daemon
  /// would run out, nor what comes after it.
  private func repair(
    _ query: Ledger.MaintenanceQuery, jobs: [JobName], judging mayJudge: Bool,
    _ ticks: inout WaitingTickScan, on connection: borrowing Connection
  ) throws {
    let now = query.now
    if query.reachesTooFar {
      try attempt(on: connection) { try bringBack(at: now, on: connection) }
    }
    if mayJudge { try attempt(on: connection) { try reclaim(query, on: connection) } }
    if query.hasLateRuns {
      try attempt(on: connection) {
        for job in try Ledger.missLate(jobs, at: now, on: connection) {
          daemon.publish(.wroteOff(job))
        }
      }
    }
    if query.hasRequests {
      try attempt(on: connection) { try makeRequestsDue(jobs, at: now, on: connection) }
    }
    if query.hasWaitingTicks {
      try attempt(on: connection) { try ticks.pass(daemon, at: now, on: connection) }
    }
  }

  private func attempt(on connection: borrowing Connection, _ repair: () throws -> Void) throws {
    do {
      try repair()
    } catch let error as PostgresError where !error.needsNewConnection {
      daemon.log.error("maintenance: \(error); tried again at the next pass")
      // It may have failed because it took too long, and so may the next.
      try keepLeases(on: connection)
    }
  }

  /// Makes due what the app asked for, in time that a daemon has for it: a run by hand and one that ends have none.
  private func makeRequestsDue(
    _ jobs: [JobName], at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    guard !daemon.isByHand, daemon.phase == .running else { return }
    let parts = try Ledger.makeRequestsDue(of: jobs, at: now, on: connection)
    Failpoint.requestsDue.pass()
    daemon.wakeWorkers(for: parts)
  }

  /// Takes back what lost its worker, or ends it where its run was cancelled.
  private func reclaim(
    _ query: Ledger.MaintenanceQuery, on connection: borrowing Connection
  ) throws {
    if let end = query.nextLeaseEnd, end < query.now {
      try rescue(at: query.now, on: connection)
    }
    if query.hasCancelledParts { _ = try Ledger.endCancelled(at: query.now, on: connection) }
  }

  private func bringBack(at now: Instant, on connection: borrowing Connection) throws {
    let count =
      try Ledger.bringBack(
        lease: daemon.pool.lease, waitsOf: daemon.schedule.jobs, at: now, by: daemon.clock,
        on: connection)
      + bringStartsBack(on: connection)
    guard count > 0 else { return }
    daemon.log.warning(
      "the clock was set back: leases and the like that reached far ahead end as if written now",
      ["rows": "\(count)"])
  }

  /// Lets parts start, a batch after the other for about the time of a pass; the next pass goes on.
  private func bringStartsBack(on connection: borrowing Connection) throws -> Int {
    let began = ContinuousClock.now
    var count = 0
    while true {
      let batch = try Ledger.bringStartsBack(delays: delays, by: daemon.clock, on: connection)
      count += batch
      guard batch == Ledger.batch, ContinuousClock.now - began < Self.rhythm else { return count }
    }
  }

  private func rescue(at now: Instant, on connection: borrowing Connection) throws {
    Failpoint.rescueBegun.pass()
    let rescued = try Ledger.rescue(Array(daemon.pool.jobs.keys), at: now, on: connection)
    Failpoint.rescueWritten.pass()
    if daemon.phase == .running { daemon.wakeWorkers(for: rescued.count) }
    for part in rescued {
      daemon.log.warning(
        "lost its worker: \(part.isCancelled ? "its run is cancelled, so it ends" : "another goes on")",
        [
          "job": part.job.text, "run": "\(part.run)", "part": "\(part.number)",
          "lost": part.lostDaemon,
        ])
      daemon.publish(.rescued(part.job))
    }
  }
}
