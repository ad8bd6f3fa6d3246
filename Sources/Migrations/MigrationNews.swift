public import Postgres

/// What bringing a schema up to date tells while it is under way.
public enum MigrationNews: Sendable, Equatable {
  /// Another host migrates this database, and what is left for this one begins when that is done; it waits so long at
  /// most. The other is said as far as it can be seen.
  case waiting(for: String?, atMost: Duration)
  case applying(Migration)

  /// Others are in the way of what was begun: nothing is left of it, and after a pause it is tried again.
  case heldUp(by: PostgresError, for: Duration, triesLeft: Int)
  case applied(Migration)
}
