internal import JobKit
internal import Ledger
internal import LocalTime

extension DaemonRecord {
  /// What is known of whether it lives.
  enum Life: Equatable {
    /// It has shown itself in time.
    case alive

    /// It should have shown itself by now, and was not seen for so long.
    case overdue(Duration)

    /// Its process is no more on this host.
    case gone

    /// It was not seen for so long that it counts as dead.
    case silent(Duration)
  }

  /// Of a process on this host the system knows when it is gone; of any other only the ledger tells.
  ///
  /// Hosts are told apart by their names.
  func life(at now: Instant) -> Life {
    let age = now - seenAt
    if host == Host.name, HostProcess.isGone(process, ranUntil: age) { return .gone }
    guard isAlive(at: now) else { return .silent(age) }
    return isOverdue(at: now) ? .overdue(age) : .alive
  }

  /// Whether it may be alive, as far as anybody knows.
  func mayLive(at now: Instant) -> Bool {
    switch life(at: now) {
    case .alive, .overdue: true
    case .gone, .silent: false
    }
  }

  static func notSeen(for age: Duration) -> String { "not seen for \(RelativeTime.text(age))" }
}
