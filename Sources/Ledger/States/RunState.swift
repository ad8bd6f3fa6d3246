public import Postgres

/// What has become of a run, or of a tick that never ran.
public enum RunState: String, Sendable, CaseIterable, PostgresValue {
  /// Not due yet: it waits for other jobs, or the app has asked for it.
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
