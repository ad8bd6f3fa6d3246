/// What a tick does when an earlier run of its job is not over yet.
public enum Overlap: String, Sendable, CaseIterable {
  /// It is skipped.
  case skip

  /// It waits; a further one is skipped.
  case queueOne = "queue_one"

  /// It asks the earlier run to stop, and waits for that.
  case cancelOther = "cancel_other"

  /// It runs beside the other.
  case allow

  /// Whether a run of such a job must be the only one.
  public var isExclusive: Bool { self != .allow }
}
