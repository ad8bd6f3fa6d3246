internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// What the heart does so that people are told: it records what was told, and claims what is to be.
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
  /// Whatever fails here is tried again at the next beat: it must not stop the beats.
  mutating func beat(
    _ glance: Ledger.Glance, on connection: borrowing Connection
  ) throws(PostgresError) {
    guard let teller = daemon.teller else { return }
    do throws(PostgresError) {
      try record(teller, at: glance.now, on: connection)
      if daemon.phase == .running { try claim(for: teller, after: glance, on: connection) }
    } catch {
      guard !error.needsNewConnection else { throw error }
      daemon.log.error("heart: messages to people: \(error); tried again at the next beat")
    }
    if daemon.phase == .running { teller.ping(at: glance.now, isLate: glance.hasRunsToStart) }
  }

  private func record(
    _ teller: Teller, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    for sent in teller.unrecorded {
      let isOurs = try Ledger.record(sent, at: now, on: connection)
      Failpoint.messageRecorded.pass()
      teller.forgetRecorded()
      if isOurs { teller.report(sent) }
    }
  }

  private mutating func claim(
    for teller: Teller, after glance: Ledger.Glance, on connection: borrowing Connection
  ) throws(PostgresError) {
    let room = teller.room
    guard room > 0, let watch = teller.watch, glance.hasNews || isToLookForLate(glance) else {
      return
    }
    let claimed = try Ledger.claimMessages(
      room, for: watch, owner: daemon.crew.name.text, lease: SentMessage.lease, at: glance.now,
      on: connection)
    for message in claimed { teller.send(message, at: glance.now, ringing: daemon.heartAlarm) }
  }

  private mutating func isToLookForLate(_ glance: Ledger.Glance) -> Bool {
    guard glance.hasRunsToStart else { return false }
    if let lookedForLate, glance.now - lookedForLate < Self.rhythm, glance.now >= lookedForLate {
      return false
    }
    lookedForLate = glance.now
    return true
  }
}
