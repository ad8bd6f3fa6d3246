@testable import Postgres

import TestSupport
import Testing

/// What a session keeps from one statement to the next, where it serves one connection alone.
@Suite("Names that are fixed for a session")
final class StandingNamesTests {
  private let database: TestDatabase
  private let server: Server

  init() throws {
    database = try TestDatabase()
    try database.connect().run(
      script: """
        CREATE FUNCTION public.length(text) RETURNS integer LANGUAGE sql AS 'SELECT -1';
        CREATE FUNCTION public.turn() RETURNS text LANGUAGE sql AS
          $$SELECT pg_catalog.set_config('search_path', 'public, pg_catalog', false)$$;
        """)
    var server = try Server("\(TestEnvironment.server) dbname=\(database.name)")
    server.fixesNames = true
    server.lockLimit = .seconds(3)
    self.server = server
  }

  private static let asking: Statement = "SELECT length('four')::bigint"
  private static let turning: Statement = "SELECT public.turn()"
  private static let new: Statement = "SELECT 'new'"
  private static let mode: Statement =
    "SELECT concat_ws(' ', current_setting('plan_cache_mode'), current_setting('lock_timeout'))"

  /// A connection that has run a few statements alone by kept plans.
  private func connection() throws -> Connection {
    let connection = try Connection(to: server)
    for _ in 1...3 { _ = try connection.run(keepingPlanOf: Self.asking) }
    return connection
  }

  @Test func `it is told once before statements alone that are run often`() throws {
    let connection = try connection()

    #expect(connection.session.isStanding)
    #expect(try connection.run(keepingPlanOf: Self.asking).only[0] == 4)
    #expect(try connection.run(keepingPlanOf: Self.mode).only[0] == "force_generic_plan 3s")
  }

  /// How something may run that others have written.
  enum Way: CaseIterable {
    case alone, pipeline, transaction, opening, closing, script, stream, failedTransaction

    fileprivate func turn(_ connection: borrowing Connection) throws {
      switch self {
      case .alone: try connection.run(turning)
      case .pipeline: try connection.pipeline([turning, asking.keepingPlan])
      case .transaction: try connection.transaction { _ = try $0.run(turning) }
      case .opening:
        try connection.transaction(opening: [turning, new.keepingPlan]) { _, _ in
          (value: (), closing: [])
        }
      case .closing:
        try connection.transaction(opening: []) { _, _ in (value: (), closing: [turning]) }
      case .script: try connection.run(script: "SELECT public.turn()")
      case .stream: try connection.stream(turning) { _ in }
      case .failedTransaction:
        try? connection.transaction { transaction in
          _ = try transaction.run(turning)
          throw Turned()
        }
      }
    }
  }

  private struct Turned: Error {}

  @Test(arguments: Way.allCases)
  func `it is told again after anything that others may have written`(way: Way) throws {
    let connection = try connection()

    try way.turn(connection)
    let lengths: [Int] = [
      try connection.run(keepingPlanOf: Self.asking).only[0],
      try connection.run(Self.asking).only[0],
      try connection.pipeline([Self.asking])[0].only[0],
      try connection.transaction { try $0.run(Self.asking).only[0] },
    ]

    #expect(lengths == [4, 4, 4, 4])
  }

  @Test func `that statements alone go by kept plans says nothing of others`() throws {
    let connection = try connection()

    let alone: String = try connection.run(Self.mode).only[0]
    _ = try connection.run(keepingPlanOf: Self.asking)
    let together: String = try connection.pipeline(
      [Self.mode, Self.new.keepingPlan])[0].only[0]
    _ = try connection.run(keepingPlanOf: Self.asking)
    let inTransaction: String = try connection.transaction { try $0.run(Self.mode).only[0] }
    let kept: String = try connection.run(keepingPlanOf: Self.mode).only[0]
    try connection.run(
      script: """
        CREATE TABLE public.script AS SELECT current_setting('plan_cache_mode') || ' '
          || current_setting('lock_timeout') || ' ' || current_setting('jit') AS mode
        """)

    #expect([alone, together, inTransaction] == ["auto 3s", "auto 3s", "auto 3s"])
    #expect(kept == "force_generic_plan 3s")
    #expect(try connection.run("SELECT mode FROM public.script").only[0] == "auto 0 on")
  }

  @Test func `what runs outside transactions finds the session as its role has it`() throws {
    let connection = try connection()

    try connection.run(
      outsideTransactions: """
        CREATE TABLE public.outside AS SELECT current_setting('search_path') AS path,
          current_setting('lock_timeout') AS lock, current_setting('plan_cache_mode') AS mode
        """)
    let left: [String] = try connection.run("SELECT ARRAY[path, lock, mode] FROM public.outside")
      .only[0]

    #expect(left == ["\"$user\", public", "0", "auto"])
    #expect(try connection.run(keepingPlanOf: Self.asking).only[0] == 4)
  }

  @Test func `what was to hold for a statement that failed is said again`() throws {
    let connection = try connection()
    let failing: Statement = "SELECT 1 / (length('four') - 4)"

    _ = try connection.run(Self.asking)
    _ = try? connection.run(keepingPlanOf: failing)
    let first: Int = try connection.run(keepingPlanOf: Self.asking).only[0]
    _ = try? connection.run(keepingPlanOf: failing)
    let second: Int = try connection.run(keepingPlanOf: Self.asking).only[0]

    #expect(first == 4 && second == 4)
  }

  @Test func `a session that something stands before is told each time`() throws {
    let direct = try PrivateServer(tcp: true)
    let relay = try Relay(to: direct.socket)
    var served: [Session.Serving] = []

    for url in [
      direct.url(), direct.tcpURL(),
      "host=127.0.0.1 port=\(relay.port) user=postgres dbname=postgres",
    ] {
      var server = try Server(url)
      server.fixesNames = true
      let connection = try Connection(to: server)
      _ = try connection.run(Self.asking)
      served.append(connection.session.serving)
    }

    #expect(served == [.onlyThis, .onlyThis, .several])
  }

  @Test func `a pooler's session goes on as it was`() throws {
    var server = try Server("\(TestEnvironment.postgres) dbname=\(database.name)")
    server.fixesNames = true
    server.lockLimit = .seconds(3)
    let connection = try Connection(to: server)
    for _ in 1...3 { _ = try connection.run(keepingPlanOf: Self.asking) }
    let isPooled = connection.session.serving == .several
    let plain = try Connection(to: Server("\(TestEnvironment.postgres) dbname=\(database.name)"))

    let left: [String] = try plain.run(
      "SELECT ARRAY[current_setting('search_path'), current_setting('lock_timeout')]"
    ).only[0]

    #expect(left == ["\"$user\", public", "0"])
    #expect(try isPooled == (TestEnvironment.postgres != TestEnvironment.server))
  }
}
