public import Postgres

/// What a run goes back to.
public enum RunTrigger: String, Sendable, CaseIterable, PostgresValue {
  case schedule
  case manual
  case backfill

  /// The app, in a transaction of its own.
  case request
}
