import Postgres
import TestSupport
import Testing

/// Where names without a schema are looked up, whatever was put before PostgreSQL's own.
@Suite("Names that are fixed")
final class FixedNamesTests {
  private let database: TestDatabase
  private let connection: Connection

  init() throws {
    database = try TestDatabase()
    let administrator = try database.connect()
    try administrator.run(
      script: """
        CREATE FUNCTION public.length(text) RETURNS integer LANGUAGE sql AS 'SELECT -1';
        CREATE TABLE public.thing (n bigint);
        """)
    try administrator.run(
      "ALTER DATABASE \(identifier: database.name) SET search_path = public, pg_catalog")
    // A pooler's sessions are older than what the database is set to.
    var server = try Server("\(TestEnvironment.server) dbname=\(database.name)")
    server.fixesNames = true
    connection = try Connection(to: server)
  }

  private static let asking: Statement = "SELECT length('four')::bigint"

  @Test func `a shadow is found where names are not fixed`() throws {
    #expect(try database.connectToServer().run(Self.asking).only[0] == -1)
  }

  @Test func `no statement is compiled, however large the server takes its tables for`() throws {
    let asking: Statement = "SELECT current_setting('jit')"
    let settings: [String] = [
      try connection.run(asking).only[0], try connection.run(keepingPlanOf: asking).only[0],
      try connection.transaction { try $0.run(asking).only[0] },
    ]

    #expect(settings == ["off", "off", "off"])
  }

  @Test func `a kept plan is not made anew for the values of a statement alone`() throws {
    for n in 1...3 { try connection.run(keepingPlanOf: "SELECT \(n)::bigint AS planned_once") }

    let plans: [Int] = try connection.run(
      """
      SELECT unnest(ARRAY[custom_plans, generic_plans]) FROM pg_catalog.pg_prepared_statements
      WHERE statement LIKE '%planned_once'
      """
    ).map { try $0[0] }

    #expect(plans == [0, 3])
  }

  @Test func `a statement alone, kept plans, several at once, a script and transactions miss it`()
    throws
  {
    var lengths: [Int] = [
      try connection.run(Self.asking).only[0],
      try connection.run(keepingPlanOf: Self.asking).only[0],
      try connection.run(keepingPlanOf: Self.asking).only[0],
      try connection.transaction { try $0.run(Self.asking).only[0] },
      try connection.transaction { try $0.run(keepingPlanOf: Self.asking).only[0] },
      try connection.transaction(opening: [Self.asking.keepingPlan]) { _, rows in
        (value: try rows[0].only[0], closing: [])
      },
    ]
    for rows in try connection.pipeline([Self.asking, Self.asking.keepingPlan]) {
      lengths.append(try rows.only[0])
    }
    try connection.run(
      script:
        "INSERT INTO public.thing SELECT length('four'); UPDATE public.thing SET n = n + length('a')"
    )
    lengths.append(try connection.run("SELECT n - 1 FROM public.thing").only[0])

    #expect(lengths == Array(repeating: 4, count: 9))
  }

  @Test func `streams and copies miss it, too`() throws {
    var lengths: [Int] = []
    try connection.stream(Self.asking) { row in lengths.append(try row[0]) }
    try connection.copy(rowsOf: Self.asking) { row in lengths.append(try row[0]) }

    #expect(lengths == [4, 4])
  }

  @Test func `nothing of it outlives the statement or the transaction`() throws {
    _ = try connection.run(Self.asking)
    try connection.transaction { _ = try $0.run(Self.asking) }
    let path = try connection.transaction {
      try $0.run("SELECT current_setting('search_path')").only[0, as: String.self]
    }
    try connection.run(
      outsideTransactions:
        "CREATE TABLE public.left_behind AS SELECT current_setting('search_path') AS path")

    #expect(path == "pg_catalog, pg_temp")
    #expect(
      try connection.run("SELECT path FROM public.left_behind").only[0] == "public, pg_catalog")
  }

  @Test func `an error is that of the statement, and the connection works on`() throws {
    let error = #expect(throws: PostgresError.self) { try connection.run("SELECT * FROM thing") }

    #expect(error?.report?.sqlState == "42P01" && error?.report?.statement == "SELECT * FROM thing")
    #expect(try connection.run(Self.asking).only[0] == 4)
    try connection.run(outsideTransactions: "VACUUM public.thing")
  }
}
