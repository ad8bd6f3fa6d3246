internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// What the maintenance loop does so that people are told: it records what was told, and claims what is to be.
struct Notifying {
  private let daemon: Daemon
  private var lookedForLate: Instant?

  /// How often late runs are looked at that people may know of already.
  private static let rhythm = Duration.seconds(15)

  init(for daemon: Daemon) {
    self.daemon = daemon
  }

  /// Does what is to be done after a glance.
  ///
  /// Whatever fails here is tried again at the next pass: it must not stop the passes.
  mutating func pass(
    _ query: Ledger.MaintenanceQuery, on connection: borrowing Connection
  ) throws(PostgresError) {
    guard let notifier = daemon.notifier else { return }
    do throws(PostgresError) {
      try record(notifier, at: query.now, on: connection)
      if daemon.phase == .running { try claim(for: notifier, after: query, on: connection) }
    } catch {
      guard !error.needsNewConnection else { throw error }
      daemon.log.error("maintenance: messages to people: \(error); tried again at the next pass")
    }
    if daemon.phase == .running { notifier.ping(at: query.now, isLate: query.hasRunsToStart) }
  }

  private func record(
    _ notifier: Notifier, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    for sent in notifier.unrecorded {
      let isOurs = try Ledger.record(sent, at: now, on: connection)
      Failpoint.messageRecorded.pass()
      notifier.forgetRecorded()
      if isOurs { notifier.report(sent) }
    }
  }

  private mutating func claim(
    for notifier: Notifier, after query: Ledger.MaintenanceQuery,
    on connection: borrowing Connection
  ) throws(PostgresError) {
    let room = notifier.room
    guard room > 0, let watch = notifier.watch, query.hasNews || isToLookForLate(query) else {
      return
    }
    let claimed = try Ledger.claimMessages(
      room, for: watch, owner: daemon.pool.name.text, lease: SentMessage.lease, at: query.now,
      on: connection)
    for message in claimed {
      notifier.send(message, at: query.now, ringing: daemon.maintenanceWakeUp)
    }
  }

  private mutating func isToLookForLate(_ query: Ledger.MaintenanceQuery) -> Bool {
    guard query.hasRunsToStart else { return false }
    if let lookedForLate, query.now - lookedForLate < Self.rhythm, query.now >= lookedForLate {
      return false
    }
    lookedForLate = query.now
    return true
  }
}
