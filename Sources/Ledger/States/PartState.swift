public import Postgres

/// What has become of a part of a run.
public enum PartState: String, Sendable, PostgresValue {
  case due
  case running
  case succeeded
  case failed
  case cancelled
}
