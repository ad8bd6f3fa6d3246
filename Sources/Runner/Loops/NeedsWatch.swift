internal import JobKit
internal import Ledger
internal import LocalTime
internal import Migrations
internal import Postgres

/// Looks each minute whether every job finds the tables and rights that it needs: one whose table is gone is sick by
/// itself, and all others run.
struct NeedsWatch {
  private var last: (at: Instant, generation: Int)?

  private static let rhythm = Duration.seconds(60)

  /// Looks when it is time to, or under other settings.
  ///
  /// Whatever fails here is tried again a minute later: it must not stop the passes.
  mutating func pass(
    _ daemon: Daemon, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    guard !daemon.isByHand, daemon.phase == .running else { return }
    let (jobs, generation) = daemon.schedule
    if let last, last.generation == generation, now - last.at < Self.rhythm, now >= last.at {
      return
    }
    last = (now, generation)
    do throws(PostgresError) {
      try Self.checkNeeds(daemon, at: jobs, now, on: connection)
    } catch {
      guard !error.needsNewConnection else { throw error }
      daemon.log.error("maintenance: what jobs need: \(error); looked at again in a minute")
    }
  }

  fileprivate static func checkNeeds(
    _ daemon: Daemon, at jobs: [ScheduledJob], _ now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    let code = daemon.pool.jobs
    let enabled = jobs.filter(\.isEnabled).map(\.name)
    let blocks = try Ledger.blocks(
      of: enabled.map { (name: $0, needs: code[$0]?.job.definition.needs ?? []) }, on: connection)
    for (job, reason) in try Ledger.record(
      blocks, among: jobs.map(\.name), at: now, on: connection)
    {
      if let reason {
        daemon.log.error("blocked: \(reason); its ticks are skipped until then", ["job": job.text])
      } else {
        daemon.log.info("no longer blocked: it finds all that it needs", ["job": job.text])
      }
    }
  }
}
