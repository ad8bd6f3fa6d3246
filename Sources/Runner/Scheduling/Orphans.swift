package import JobKit
internal import Ledger
package import LocalTime
package import Postgres

/// The jobs that the ledger knows and no daemon alive has code for: their ticks are written down as
/// skipped, so that a job which was lost in a deployment is missed by somebody.
package struct Orphans {
  let daemon: String
  let zones: ZoneDatabase

  package init(daemon: String, zones: ZoneDatabase) {
    self.daemon = daemon
    self.zones = zones
  }

  /// For how long nobody must have decided a job: a deployment takes its time.
  static let grace = Duration.seconds(3600)

  /// Writes down the ticks of every such job, up to a while ago; returns how many of which.
  package func writeOff(
    at now: Instant, on connection: borrowing Connection
  ) throws -> [(job: JobName, ticks: Int)] {
    var skipped: [(job: JobName, ticks: Int)] = []
    for (name, written) in try Ledger.orphans(
      undecidedFor: Self.grace, at: now, on: connection)
    {
      guard let schedule = Schedule(written: written, zones: zones) else { continue }
      let job = ScheduledJob(name: name, schedule: schedule)
      let ticks: Int
      do {
        ticks = try writeOff(job, through: now - Self.grace, at: now, on: connection)
      } catch let error as PostgresError where error.isRetryable {
        ticks = try writeOff(job, through: now - Self.grace, at: now, on: connection)
      }
      if ticks > 0 { skipped.append((name, ticks)) }
    }
    return skipped
  }

  private func writeOff(
    _ job: ScheduledJob, through end: Instant, at now: Instant, on connection: borrowing Connection
  ) throws -> Int {
    try connection.transaction(
      opening: Ledger.selectForDecision(of: job.name, at: now), lockLimit: Scheduler.lockLimit
    ) { _, answers in
      guard let snapshot = try Ledger.snapshot(in: answers) else { return (0, []) }
      let ticks = Self.ticks(of: job.schedule, after: snapshot.decidedUntil, through: end)
      guard !ticks.isEmpty else { return (0, []) }
      let writing = Ledger.writing(
        Decision(ticks: ticks, cancelsOthers: false), of: job, repeatsUntil: snapshot.repeatsUntil,
        by: daemon, at: now)
      return (ticks.count, [writing])
    }
  }

  private static func ticks(
    of schedule: Schedule, after start: Instant, through end: Instant
  ) -> [Tick] {
    let ticks = schedule.ticks(after: start, through: end, limit: 24)
    guard let first = ticks.first, let last = schedule.previous(before: end + .microseconds(1)),
      last > ticks[ticks.count - 1]
    else { return ticks.map { Tick(scheduledFor: $0, fate: .notRun(skip)) } }
    // Too many to be listed: a row stands for them all.
    let count = schedule.count(from: first, through: last)
    return [
      Tick(scheduledFor: last, fate: .collapsed(from: first, count: count, skip))
    ]
  }

  private static let skip = Tick.Cause.skipped(.noDaemon)
}
