internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// The way of a daemon through the ticks that wait for other jobs.
///
/// Where so many wait that they take longer than a pass, the next pass goes on behind those that were looked at.
struct WaitingTickScan {
  private var place: Ledger.WaitingPlace?

  /// Decides the ticks whose wait is over, in time that a daemon has for it, and for about the time of a pass.
  mutating func pass(
    _ daemon: Daemon, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    guard !daemon.isByHand, daemon.phase == .running else { return }
    let began = ContinuousClock.now
    var isNews = false
    repeat {
      let decided = try Ledger.decideWaiting(
        daemon.schedule.jobs, after: &place, at: now, on: connection)
      Failpoint.waitingDecided.pass()
      daemon.wakeWorkers(for: decided.map(\.parts).reduce(0, +))
      for tick in decided { Self.report(tick, by: daemon) }
      // Others may wait for those that do not run.
      isNews = isNews || decided.contains { $0.state != .due }
      guard place == nil else { continue }
      guard isNews else { return }
      isNews = false
    } while ContinuousClock.now - began < MaintenanceLoop.rhythm
  }

  private static func report(_ tick: Ledger.DecidedTick, by daemon: Daemon) {
    guard let reason = tick.reason else { return }
    daemon.log.warning(
      "\(tick.state): \(reason)",
      [
        "job": tick.job.text, "run": "\(tick.run)",
        "scheduled_for": tick.scheduledFor.description,
      ])
    if tick.state == .missed { daemon.publish(.wroteOff(tick.job)) }
  }
}
