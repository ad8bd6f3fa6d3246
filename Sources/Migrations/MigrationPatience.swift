import Postgres

/// How long a step of a migration waits for tables that others use.
///
/// Whoever comes after it waits behind it, so it waits little, lets them go before, and tries again.
public struct MigrationPatience: Sendable {
  /// How long a step waits for a table.
  public var lockLimit: Duration

  /// How long it lets others go before it.
  public var pause: Duration

  /// How often it is tried in all.
  public var tries: Int

  /// How long it waits for another host that migrates.
  public var turnLimit: Duration

  public init(
    lockLimit: Duration = .seconds(5), pause: Duration = .seconds(5), tries: Int = 12,
    turnLimit: Duration = .seconds(1800)
  ) {
    (self.lockLimit, self.pause, self.tries) = (lockLimit, pause, tries)
    self.turnLimit = turnLimit
  }

  /// Does `work`, a transaction, and again as long as others are in its way: they have a table that it
  /// needs, or want one that it has.
  func retrying<Value>(
    on connection: borrowing Connection, telling tell: (MigrationNews) -> Void,
    _ work: (borrowing Connection) throws -> Value
  ) throws -> Value {
    for left in stride(from: tries - 1, to: 0, by: -1) {
      do {
        return try work(connection)
      } catch let error as PostgresError where error.isRetryable || error.isLockTimeout {
        tell(.heldUp(by: error, for: pause, triesLeft: left))
        try rest(on: connection)
      }
    }
    return try work(connection)
  }

  /// By the server, so that whoever ends a statement of the connection ends this too.
  private func rest(on connection: borrowing Connection) throws {
    try connection.transaction { connection in
      try connection.run("SET LOCAL statement_timeout = 0")
      try connection.run(
        "SELECT pg_sleep(\(pause / .seconds(1)))", within: pause + .seconds(30))
    }
  }
}
