/// What bringing a schema up to date tells while it is under way.
public enum MigrationNews: Sendable, Equatable {
  /// Another host migrates this database, and what is left for this one begins when that is done.
  case waiting
  case applying(Migration)
  case applied(Migration)
}
