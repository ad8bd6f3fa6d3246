internal import JobKit
internal import Ledger
internal import LocalTime
internal import Migrations
internal import Postgres

/// The schemas that this program works on: the ledger's first, then those of its jobs.
enum ProgramSchemas {
  static let all = [Schema()] + LearningBundle.schemas + Composition.current.schemas

  /// The newest version of each that this program knows.
  static let newest = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.newest) })

  /// Refuses a database whose schemas are not there, or lack migrations that this program knows.
  static func requireNewest(on connection: borrowing Connection) throws {
    var missing: [MissingMigrations] = []
    for schema in all {
      let versions = try schema.pending(on: connection).map(\.version)
      if !versions.isEmpty { missing.append(.init(schema: schema.name, versions: versions)) }
    }
    guard missing.isEmpty else { throw SchemaBehind(missing: missing) }
  }

  /// Applies whatever the database lacks.
  static func migrate(by author: String, at now: Instant, on connection: borrowing Connection)
    throws
  {
    for schema in all { try schema.migrate(by: author, at: now, on: connection) }
  }

  /// Refuses a connection whose role cannot keep the ledger; a job that lacks a table of its own is sick by itself.
  static func requireDaemon(on connection: borrowing Connection) throws {
    try Schema().rights.requireWorker(on: connection)
  }
}
