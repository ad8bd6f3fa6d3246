public import LocalTime

/// What was decided of one moment of a schedule, or of a row of moments that collapsed.
public struct Tick: Sendable, Equatable {
  public let scheduledFor: Instant
  public let fate: Fate

  package init(scheduledFor: Instant, fate: Fate) {
    self.scheduledFor = scheduledFor
    self.fate = fate
  }

  /// What becomes of a tick.
  public enum Fate: Sendable, Equatable {
    case due
    case skipped(String)
    case missed(String)
    case collapsed(from: Instant, count: Int, String)
  }
}
