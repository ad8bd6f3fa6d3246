public import Postgres

/// An empty database of a test's own on the shared server, dropped when the last owner lets go.
public final class TestDatabase: Sendable {
  /// The name of the database.
  public let name: String

  /// The connection string for it, as superuser.
  public let url: String

  private let server: String

  /// Makes an empty database, or a copy of `template`, which nobody may be connected to.
  public init(copying template: TestDatabase? = nil) throws {
    server = try TestEnvironment.server
    name = "test_\(UInt64.random(in: 0 ... .max))"
    url = "\(try TestEnvironment.postgres) dbname=\(name)"
    let connection = try Connection(to: Server(server))
    try connection.run(
      """
      CREATE DATABASE \(identifier: name) TEMPLATE \(identifier: template?.name ?? "template0")
      \(Self.strategy(on: connection))
      """)
  }

  /// Files are copied in half the time that each page takes through the log, which is how 15 and later do it by default.
  private static func strategy(on connection: borrowing Connection) -> Statement {
    let major = connection.serverVersion?.prefix { $0.isNumber }
    return (major.flatMap { Int($0) } ?? 0) >= 15 ? "STRATEGY file_copy" : ""
  }

  deinit {
    _ = try? Connection(to: Server(server)).run(
      "DROP DATABASE IF EXISTS \(identifier: name) WITH (FORCE)")
  }

  /// Opens a connection to it.
  public func connect(
    notices: @escaping @Sendable (Notice) -> Void = { _ in }
  ) throws -> Connection {
    try Connection(to: Server(url), notices: notices)
  }

  /// Opens a connection to it on the server itself: a pooler's sessions outlive their use.
  public func connectToServer() throws -> Connection {
    try Connection(to: Server("\(server) dbname=\(name)"))
  }

  /// Opens a connection to the shared server, for tests that leave nothing behind.
  public static func connectToShared() throws -> Connection {
    try Connection(to: Server(TestEnvironment.postgres))
  }

  /// The same, for tests of one session of the server: a pooler would give them any.
  public static func connectToSession() throws -> Connection {
    try Connection(to: Server(TestEnvironment.server))
  }
}
