import Postgres

/// One host at a time migrates a database.
///
/// What it locks is the table in which migrations are written down, in a mode that nobody has a right to but its owner:
/// a reader's locks are in nobody's way. Programs that lock a number instead are kept out too, as each step of theirs
/// begins with a comment on that table.
extension Schema {
  /// Waits for another host that migrates, for a while: no reader and no daemon queues behind this.
  func takeTurn(
    on connection: borrowing Connection, telling tell: (MigrationNews) -> Void
  ) throws {
    try makePlace(on: connection)
    guard try !isMine(on: connection, waiting: nil) else { return }
    tell(.waiting(for: try connection.lockHolder(of: place)?.account, atMost: patience.turnLimit))
    let limit: String = try connection.run("SELECT current_setting('lock_timeout')").only[0]
    guard try isMine(on: connection, waiting: patience.turnLimit) else {
      throw MigrationError.turnTaken(
        by: try connection.lockHolder(of: place)?.account, for: patience.turnLimit)
    }
    try connection.run("SELECT set_config('lock_timeout', \(limit), true)")
  }

  /// The table in which migrations are written down.
  private var place: String { "\(name).migration" }

  /// Makes the table, or waits for another host that does and takes it as that has left it.
  private func makePlace(on connection: borrowing Connection) throws {
    let isThere: Bool = try connection.run("SELECT to_regclass(\(place)) IS NOT NULL").only[0]
    guard !isThere else { return }
    do {
      try connection.savepoint { connection in
        try connection.run(script: beginning(on: connection))
      }
    } catch let error as PostgresError where error.report?.sqlState.hasPrefix("23") == true {
      // Of two hosts that make the same schema the second finds its name taken.
    }
  }

  /// Takes the lock, at once or within a limit; false when another host has it.
  private func isMine(on connection: borrowing Connection, waiting limit: Duration?) throws -> Bool
  {
    let waiting: Statement = limit == nil ? "NOWAIT" : ""
    do {
      try connection.savepoint { connection in
        if let limit {
          let milliseconds = "\(max(1, Int(limit / .milliseconds(1))))"
          try connection.run("SELECT set_config('lock_timeout', \(milliseconds), true)")
        }
        try connection.run(
          "LOCK TABLE \(identifier: name).migration IN SHARE ROW EXCLUSIVE MODE \(waiting)",
          within: Self.stepLimit)
      }
      return true
    } catch let error as PostgresError where error.isLockTimeout {
      return false
    }
  }
}
