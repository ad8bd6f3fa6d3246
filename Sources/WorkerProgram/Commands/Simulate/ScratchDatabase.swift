internal import JobKit
internal import Postgres
internal import Settings

/// A database that a simulation has for itself.
struct ScratchDatabase {
  /// How to reach it.
  let settings: DatabaseSettings
  private let credentials = Environment["CREDENTIALS_DIRECTORY"]

  /// The database beside which it was made, and from which it is dropped; nothing when it was handed over.
  private let made: (name: String, beside: DatabaseSettings)?

  var server: Server {
    get throws(PostgresError) { try settings.server(credentials: credentials) }
  }

  /// Whether it was made for the simulation, and is dropped after it.
  var isOurs: Bool { made != nil }
}

extension ScratchDatabase {
  /// Makes an empty database beside the one that the settings name, which itself is left alone.
  ///
  /// What commits in it need not wait for the disk: a crash of the server ends the simulation too. A day of jobs
  /// that are due each minute has ten thousand commits, which would wait for most of a minute.
  static func make(beside settings: DatabaseSettings) throws -> ScratchDatabase {
    let name = "worker_simulation_" + String(UInt32.random(in: 0 ... .max), radix: 36)
    let scratch = ScratchDatabase(
      settings: settings.naming(database: name), made: (name, settings))
    let connection = try scratch.connectToHome(settings)
    do throws(PostgresError) {
      try connection.run(
        outsideTransactions: "CREATE DATABASE \(identifier: name) TEMPLATE template0",
        within: Self.patience)
    } catch {
      guard error.report?.sqlState == "42501" else { throw error }
      throw Refused.mayNotCreate
    }
    try connection.run(
      "ALTER DATABASE \(identifier: name) SET synchronous_commit = off", within: Self.patience)
    return scratch
  }

  /// Takes a database that somebody has made, when there is nothing in it.
  static func adopt(_ url: String, like settings: DatabaseSettings) throws -> ScratchDatabase {
    if let objection = DatabaseSettings.objection(to: url) { throw Refused.unreadable(objection) }
    var settings = settings
    settings.url = url
    let scratch = ScratchDatabase(settings: settings, made: nil)
    let row = try Connection(to: scratch.server).run(
      """
      SELECT current_database()::text AS name, (
        SELECT min(nspname || coalesce('.' || relname, '')) FROM pg_namespace
        -- An index is in it with its table, which says more.
        LEFT JOIN pg_class ON relnamespace = pg_namespace.oid AND relkind NOT IN ('i', 'I')
        WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
          AND (relname IS NOT NULL OR nspname = 'jobkit')
      ) AS found
      """
    ).only
    if let found = try row["found", as: String?.self] {
      throw Refused.notEmpty(database: try row["name"], found: found)
    }
    return scratch
  }

  /// Drops what was made, whoever is still connected to it; leaves alone what was handed over.
  func drop() throws {
    guard let made else { return }
    let connection = try connectToHome(made.beside)
    let drop: Statement = "DROP DATABASE IF EXISTS \(identifier: made.name)"
    do throws(PostgresError) {
      try connection.run(outsideTransactions: "\(drop) WITH (FORCE)", within: Self.patience)
    } catch {
      // A role may not end the server's own process that vacuums there; by a drop without force the server ends it.
      guard error.report?.sqlState == "42501" else { throw error }
      try connection.run(outsideTransactions: drop, within: Self.patience)
    }
  }

  /// The server writes a checkpoint first, which takes a busy one longer than any statement of a job.
  private static let patience = Duration.seconds(600)

  private func connectToHome(_ settings: DatabaseSettings) throws(PostgresError) -> Connection {
    try Connection(to: settings.server(credentials: credentials))
  }
}

extension ScratchDatabase {
  /// Why a simulation has no database.
  enum Refused: Error, CustomStringConvertible {
    case mayNotCreate
    case notEmpty(database: String, found: String)
    case unreadable(String)

    var description: String {
      switch self {
      case .mayNotCreate:
        "this role may not make a database to simulate in: let somebody make an empty one, and name it"
          + " with --database"
      case .notEmpty(let database, let found):
        "the database '\(database)' is not empty, '\(found)' is in it: a simulation needs one with"
          + " nothing in it, and nothing was changed"
      case .unreadable(let objection): "'--database' cannot be used: \(objection)"
      }
    }
  }
}

extension ScratchDatabase.Refused: EndingError {
  var exitCode: ExitCode {
    switch self {
    case .mayNotCreate: .notPermitted
    case .notEmpty: .badData
    case .unreadable: .usage
    }
  }
}
