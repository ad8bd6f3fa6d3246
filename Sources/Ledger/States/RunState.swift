public import Postgres

/// What has become of a run, or of a tick that never ran.
public enum RunState: String, Sendable, CaseIterable, PostgresValue {
  /// Asked for, and not due yet.
  case waiting
  case due
  case held
  case running
  case succeeded
  case failed
  case cancelled
  case skipped
  case missed

  /// Many ticks in one row, which did not run.
  case collapsed

  /// Whether it is still to end.
  public var isOpen: Bool { [.waiting, .due, .held, .running].contains(self) }
}
