internal import JobKit
internal import Ledger
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
    var respite = Respite(lease: daemon.crew.lease)
    let keeper = Reconnecting(
      daemon: daemon, what: "heart", alarm: daemon.heartAlarm,
      statementLimit: { [patience] in patience }, longestWait: patience)
    keeper.run(until: .ended) { connection in try beat(on: connection, &respite) }
  }

  /// Somewhat more than a second, so that an idle minute has fewer than sixty queries in all.
  private static let rhythm = Duration.milliseconds(1250)

  /// A third of a lease: whatever a statement waits for, or a server that is away, the next beat comes in time
  /// to extend the leases.
  ///
  /// With less than two seconds it would give up on servers that are merely slow.
  private var patience: Duration { max(daemon.crew.lease / 3, .seconds(2)) }

  /// How far a part of each job is ever put off, by the settings of the moment.
  private var delays: [JobName: Duration] { daemon.crew.jobs.mapValues(\.policies.longestDelay) }

  private func beat(on connection: consuming Connection, _ respite: inout Respite) throws {
    let jobs = Array(daemon.crew.jobs.keys)
    var sign = SignOfLife()
    var forgetting = Forgetting()
    var needs = NeedsWatch()
    var notifying = Notifying(for: daemon)
    while daemon.phase < .ended {
      // First of all: whatever is slow or fails after it, the parts of this daemon stay its own.
      try keepLeases(on: connection)
      let glance = try Ledger.glance(
        of: daemon.crew.name, at: jobs, lease: daemon.crew.lease, delays: delays,
        by: daemon.clock, for: daemon.teller?.watch, on: connection)
      let mayJudge = respite.isOver(at: Respite.Beat(shown: glance.now, here: .now))
      try tidy(glance, jobs: jobs, judging: mayJudge, on: connection)
      if glance.hasDueParts, daemon.phase == .running { daemon.wakeWorkers() }
      if let author = glance.drainAskedBy { daemon.hearDrain(by: author) }
      try sign.show(daemon, jobs: jobs, at: glance.now, on: connection)
      try needs.beat(daemon, at: glance.now, on: connection)
      try forgetting.beat(
        daemon.retention, of: jobs, parts: daemon.mostParts, at: glance.now, log: daemon.log,
        on: connection)
      try notifying.beat(glance, on: connection)
      daemon.tell(.beat(at: glance.now))
      daemon.heartAlarm.set(after: Self.wait(after: glance))
      daemon.heartAlarm.wait()
    }
    try Ledger.forget(
      daemon.crew.name, at: daemon.clock.now(on: connection), on: connection)
    Failpoint.drainForgotten.pass()
  }

  /// Until the next beat: the rhythm, or the end of a lease that nobody extends any more.
  private static func wait(after glance: Ledger.Glance) -> Duration {
    guard let end = glance.nextLeaseEnd, end >= glance.now else { return rhythm }
    return min(rhythm, end - glance.now + .milliseconds(1))
  }

  private func keepLeases(on connection: borrowing Connection) throws {
    let holdings = daemon.crew.holdings
    let fences = holdings.fences
    guard !fences.isEmpty else { return }
    let pulse = try Ledger.extendLeases(
      of: fences, by: daemon.crew.lease, at: daemon.clock.readingOnTheSpot, on: connection)
    Failpoint.leasesExtended.pass()
    holdings.hear(pulse, of: fences)
  }

  /// Puts in order what others left.
  ///
  /// Whatever fails here is tried again at the next beat: it must not
  /// stop the beats, or every lease of this daemon would run out.
  private func tidy(
    _ glance: Ledger.Glance, jobs: [JobName], judging mayJudge: Bool,
    on connection: borrowing Connection
  ) throws {
    do {
      if glance.reachesTooFar { try bringBack(at: glance.now, on: connection) }
      if mayJudge { try takeBack(glance, on: connection) }
      if glance.hasLateRuns {
        for job in try Ledger.missLate(jobs, at: glance.now, on: connection) {
          daemon.tell(.wroteOff(job))
        }
      }
    } catch let error as PostgresError where !error.needsNewConnection {
      daemon.log.error("heart: \(error); tried again at the next beat")
    }
  }

  /// Takes back what lost its worker, or ends it where its run was cancelled.
  private func takeBack(
    _ glance: Ledger.Glance, on connection: borrowing Connection
  ) throws {
    if let end = glance.nextLeaseEnd, end < glance.now {
      try rescue(at: glance.now, on: connection)
    }
    if glance.hasCancelledParts { _ = try Ledger.endCancelled(at: glance.now, on: connection) }
  }

  private func bringBack(at now: Instant, on connection: borrowing Connection) throws {
    let count =
      try Ledger.bringBack(
        lease: daemon.crew.lease, at: now, by: daemon.clock, on: connection)
      + bringStartsBack(on: connection)
    guard count > 0 else { return }
    daemon.log.warning(
      "the clock was set back: leases and the like that reached far ahead end as if written now",
      ["rows": "\(count)"])
  }

  /// Lets parts start, a batch after the other for about the time of a beat; the next beat goes on.
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
    let rescued = try Ledger.rescue(Array(daemon.crew.jobs.keys), at: now, on: connection)
    Failpoint.rescueWritten.pass()
    if daemon.phase == .running { daemon.wakeWorkers(for: rescued.count) }
    for part in rescued {
      daemon.log.warning(
        "lost its worker: another goes on",
        [
          "job": part.job.text, "run": "\(part.run)", "part": "\(part.number)",
          "lost": part.lostWorker,
        ])
      daemon.tell(.rescued(part.job))
    }
  }
}
