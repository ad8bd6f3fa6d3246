internal import JobKit
internal import Jobs
internal import LocalTime
internal import Postgres

/// The schemas that this program works on: the ledger's first, then the learning app's.
enum ProgramSchemas {
  static let all = [Schema(), Schema.learning]

  /// The newest version of each that this program knows.
  static let newest = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.newest) })

  /// The migrations that the database lacks, by the names that `worker migrate status` shows.
  static func pending(on connection: borrowing Connection) throws -> [String] {
    var pending: [String] = []
    for schema in all {
      pending += try schema.pending(on: connection).map { "\(schema.name) \($0.name)" }
    }
    return pending
  }

  /// Applies whatever the database lacks.
  static func migrate(by author: String, at now: Instant, on connection: borrowing Connection)
    throws
  {
    for schema in all { try schema.migrate(by: author, at: now, on: connection) }
  }

  /// Refuses a connection whose role cannot do all that a daemon does.
  static func requireWorker(on connection: borrowing Connection) throws {
    for schema in all { try schema.rights.requireWorker(on: connection) }
  }
}
