import Postgres
import TestKit
import TestSupport

/// Others who work at the same rows at the same time.
extension Stage {
  /// Another session, which has done this in a transaction that is still open.
  func opened(_ statements: Statement...) throws -> Connection {
    let other = try database.connect()
    try other.run("BEGIN")
    for statement in statements { try other.run(statement) }
    return other
  }

  /// Why a statement is refused that has to wait until `others` are done; nothing when it is not.
  func refusal(of statement: Statement, after others: () throws -> Void) throws -> String? {
    let database = database
    let waiting = TestThread { () throws -> String? in
      let connection = try database.connect()
      do throws(PostgresError) {
        try connection.run(statement)
        return nil
      } catch {
        return error.report?.sqlState ?? "\(error)"
      }
    }
    try Self.eventually("wait_event_type = 'Lock'", on: connection)
    try others()
    return try waiting.value()
  }

  /// Another session that holds what `locking` locks until somebody waits for it, and before it lets go does `work`.
  func held(by locking: String, then work: Statement) throws -> TestThread<Void> {
    let database = database
    let other = TestThread {
      let holder = try database.connect()
      let app = try database.connect()
      try holder.run(script: "BEGIN; \(locking)")
      try Self.eventually("wait_event_type = 'Lock'", on: app)
      try app.run(work)
      try holder.run("COMMIT")
    }
    try Self.eventually("state = 'idle in transaction'", on: connection)
    return other
  }

  /// Waits until there is a session of which that is true.
  private static func eventually(
    _ isTrue: Statement, on connection: borrowing Connection
  ) throws {
    let query: Statement = """
      SELECT count(*) FROM pg_stat_activity WHERE \(isTrue) AND datname = current_database()
      """
    try TestSupport.eventually { try connection.run(query).only[0, as: Int.self] > 0 }
  }
}
