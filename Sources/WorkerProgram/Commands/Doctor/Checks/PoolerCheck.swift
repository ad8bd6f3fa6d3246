internal import Postgres

/// Whether a pooler stands between, and how it hands out sessions.
struct PoolerCheck: DatabaseCheck {
  let name = "pooler"

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    // A pooler gives its clients a process number of its own making.
    guard try Self.backend(of: connection) != connection.backendProcess else {
      return [.ok("none: sessions are the server's own")]
    }
    do throws(PostgresError) {
      try connection.transaction { connection throws(PostgresError) in
        _ = try Self.backend(of: connection)
      }
    } catch {
      guard error.report != nil else { throw error }
      return [
        .problem(
          "a pooler that lets nobody have a transaction: \(error)",
          why: "every claim, chunk and decision is a transaction",
          do: "let it pool by transaction: pool_mode = transaction")
      ]
    }
    let size = "let its default_pool_size be \(patient.connections) for each daemon, or more"
    guard try Self.isShared(connection, with: Connection(to: patient.server)) else {
      return [
        .note(
          "a pooler, by session as it seems: each connection keeps a session of the server's",
          why: Self.narrowness, do: size)
      ]
    }
    return [
      .note(
        "a pooler, by transaction: nothing that the worker does needs more", why: Self.narrowness,
        do: size)
    ]
  }

  private static let narrowness =
    "the loops of a daemon wait for each other when the pool is smaller than they are"

  /// Whether two connections that ask in turn are answered by the same process.
  private static func isShared(
    _ one: borrowing Connection, with other: consuming Connection
  ) throws(PostgresError) -> Bool {
    var (ours, theirs) = (Set<Int>(), Set<Int>())
    for _ in 1...4 {
      ours.insert(try backend(of: one))
      theirs.insert(try backend(of: other))
    }
    return !ours.isDisjoint(with: theirs) || ours.count > 1
  }

  private static func backend(of connection: borrowing Connection) throws(PostgresError) -> Int {
    try connection.run("SELECT pg_backend_pid()").only[0]
  }
}
