package import JobKit
public import LocalTime
package import Postgres

/// The clock was set back: a job's ticks are decided up to a moment that lies in the future.
public struct ClockStep: Sendable, Equatable {
  public let cursor: Instant
  public let now: Instant

  /// A step that must not be waited out, or nothing.
  ///
  /// A rhythm would pause for as long as the step; times on a wall were decided and do not come again.
  /// A cursor more than a day ahead is no step back but a clock that had been wrong: whatever follows
  /// it, the job would be dead until then.
  package init?(cursor: Instant, now: Instant, isElapsed: Bool) {
    guard cursor - now > (isElapsed ? Self.rhythmWaits : Self.wallWaits) else { return nil }
    self.cursor = cursor
    self.now = now
  }

  /// The moment of a pass, read anew where ticks are decided far beyond it.
  ///
  /// A process that was frozen since it read the clock would take what others have decided meanwhile for a clock
  /// that was set back, and let it all come again.
  package static func confirmed(
    _ now: Instant, against cursor: Instant, isElapsed: Bool, by clock: LedgerClock?,
    on connection: borrowing Connection
  ) throws(PostgresError) -> Instant {
    guard let clock, Self(cursor: cursor, now: now, isElapsed: isElapsed) != nil else { return now }
    return try clock.now(on: connection)
  }

  private static let rhythmWaits = Duration.seconds(60)
  private static let wallWaits = Duration.seconds(86_400)
}

extension ClockStep: CustomStringConvertible {
  public var description: String {
    "the clock was set back: ticks are decided up to \(cursor) and it is \(now);"
      + " the job goes on from now"
  }
}
