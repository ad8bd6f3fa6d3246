public import Postgres

/// An empty database of a test's own on the shared server, dropped when the last owner lets go.
public final class TestDatabase: Sendable {
  /// The name of the database.
  public let name: String

  /// The connection string for it, as superuser.
  public let url: String

  private let shared: String

  /// Makes an empty database, or a copy of `template`, which nobody may be connected to.
  public init(copying template: TestDatabase? = nil) throws {
    shared = try TestEnvironment.postgres
    name = "test_\(UInt64.random(in: 0 ... .max))"
    url = "\(shared) dbname=\(name)"
    try Connection(to: Server(shared)).run(
      """
      CREATE DATABASE \(identifier: name) TEMPLATE \(identifier: template?.name ?? "template0")
      """)
  }

  deinit {
    _ = try? Connection(to: Server(shared)).run(
      "DROP DATABASE IF EXISTS \(identifier: name) WITH (FORCE)")
  }

  /// Opens a connection to it.
  public func connect(
    notices: @escaping @Sendable (Notice) -> Void = { _ in }
  ) throws -> Connection {
    try Connection(to: Server(url), notices: notices)
  }

  /// Opens a connection to the shared server itself, for tests that leave nothing behind.
  public static func connectToShared() throws -> Connection {
    try Connection(to: Server(TestEnvironment.postgres))
  }
}
