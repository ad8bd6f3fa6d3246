import Postgres
import TestSupport
import Testing

/// The functions of both schemas, which triggers and other programs call with a `search_path` of their own.
@Suite("Functions of the schemas")
struct SchemaFunctionTests {
  private let database: TestDatabase

  init() throws { database = try .migrated() }

  /// Those that look names up where their caller does.
  private func loose() throws -> [String] {
    try database.connect().run(
      """
      SELECT pg_proc.oid::regprocedure::text FROM pg_proc JOIN pg_namespace AS space ON space.oid = pronamespace
      WHERE nspname IN ('jobkit', 'learning')
        AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (proconfig), false)
      """
    ).map { try $0[0] }
  }

  @Test func `look names up among PostgreSQL's own, whatever their caller's search_path`() throws {
    let all = try loose()
    try database.connect().run(script: "ALTER FUNCTION learning.note_move() RESET search_path")
    let forgetful = try loose()

    #expect(all == [])
    #expect(forgetful == ["learning.note_move()"])
  }
}
