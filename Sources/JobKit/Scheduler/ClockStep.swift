public import LocalTime

/// The clock was set back: a job's ticks are decided up to a moment that lies in the future.
public struct ClockStep: Sendable, Equatable {
  public let cursor: Instant
  public let now: Instant

  /// A step that must not be waited out, or nothing.
  ///
  /// A rhythm would pause for as long as the step; times on a wall were decided and do not come again.
  /// A cursor more than a day ahead is no step back but a clock that had been wrong: whatever follows
  /// it, the job would be dead until then.
  init?(cursor: Instant, now: Instant, isElapsed: Bool) {
    guard cursor - now > (isElapsed ? Self.rhythmWaits : Self.wallWaits) else { return nil }
    self.cursor = cursor
    self.now = now
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
