internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// Looks at the daemons of a ledger a few times a second until something is so, or time is up.
struct DaemonWatch {
  private let end: ContinuousClock.Instant

  init(within limit: Duration) {
    end = .now + limit
  }

  /// The daemons that are alive and are more than a run by hand.
  static func alive(on connection: borrowing Connection) throws -> [DaemonRecord] {
    let now = try LedgerClock.database.now(on: connection)
    return try Ledger.daemons(on: connection).filter { $0.isAlive(at: now) && !$0.isByHand }
  }

  /// Waits until a daemon of `version` is ready and stays; nothing when none came in time.
  func ready(
    _ version: String, on connection: borrowing Connection
  ) throws -> [DaemonRecord] {
    while true {
      let ready = try Self.alive(on: connection).filter {
        $0.version == version && $0.readyAt != nil && !$0.isDraining && $0.drainAskedBy == nil
      }
      guard ready.isEmpty, rest() else { return ready }
    }
  }

  /// Waits until all of them are gone; those that are still there when time is up.
  func remaining(
    of names: [String], on connection: borrowing Connection
  ) throws -> [DaemonRecord] {
    while true {
      let left = try Self.alive(on: connection).filter { names.contains($0.name) }
      guard !left.isEmpty, rest() else { return left }
    }
  }

  /// Waits a little; false when time is up.
  ///
  /// Nobody tells whoever looks by hand what daemons do.
  private func rest() -> Bool {
    guard ContinuousClock.now < end else { return false }
    _ = Latch().happens(within: .milliseconds(200))
    return true
  }
}

extension Arguments {
  /// How long `option` says to wait, or `usual`.
  func patience(
    _ option: Option, of command: Command, else usual: Duration
  ) throws(UsageError) -> Duration {
    guard let text = self[option] else { return usual }
    guard let patience = Duration(written: text) else {
      throw UsageError(
        .badValue(text, of: option, expected: "write a duration such as 5m"), command: command)
    }
    return patience
  }
}
