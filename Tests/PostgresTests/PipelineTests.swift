import Postgres
import TestSupport
import Testing

@Suite struct PipelineTests {
  @Test func `statements in one round trip return their rows in order`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()

    let rows = try connection.pipeline([
      "SELECT \(1) AS n", "CREATE TABLE t (id bigint)", "INSERT INTO t VALUES (1), (2)",
      "SELECT id FROM t",
    ])
    let first: Int = try rows[0].only["n"]

    #expect(first == 1)
    #expect(rows.map(\.affected) == [1, 0, 2, 2])
  }

  @Test func `after an error none of the statements has any effect`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    try connection.run("CREATE TABLE t (id bigint)")

    let error = refusal {
      try connection.pipeline([
        "INSERT INTO t VALUES (1)", "SELECT 1 / 0", "INSERT INTO t VALUES (2)",
      ])
    }
    let count: Int = try connection.value("SELECT count(*) FROM t")

    #expect(error?.description == "division by zero (SQLSTATE 22012), in 'SELECT 1 / 0'")
    #expect(count == 0)
  }

  @Test func `a pipeline without statements does nothing`() throws {
    let connection = try TestDatabase.connectToShared()

    #expect(try connection.pipeline([]).isEmpty)
  }

  @Test func `ten thousand statements do not block each other`() throws {
    let connection = try TestDatabase.connectToShared()
    let filler = String(repeating: "x", count: 1000)

    let rows = try connection.pipeline(
      (0..<10_000).map { "SELECT \($0) AS n, \(filler) AS filler" })
    let last: Int = try rows[9999].only["n"]

    #expect(last == 9999)
  }

  @Test func `a pipeline over its limit is cancelled at the statement that takes long`() throws {
    let connection = try TestDatabase.connectToShared()

    let error = refusal {
      try connection.pipeline(
        ["SELECT 1", "SELECT pg_sleep(60)", "SELECT 2"], within: .milliseconds(200))
    }
    let one: Int = try connection.value("SELECT 1::bigint")

    #expect(error == .deadline(.milliseconds(200), statement: "SELECT pg_sleep(60)"))
    #expect(one == 1)
  }

  @Test func `a statement that cannot be sent keeps the others from being sent`() throws {
    let connection = try TestDatabase.connectToSession()

    let error = refusal {
      try connection.pipeline(["CREATE TEMP TABLE t (id bigint)", "SELECT \("\0")"])
    }
    let table: String? = try connection.value("SELECT to_regclass('t')::text")

    #expect(
      error?.description
        == "cannot send parameter 1 of 'SELECT $1': "
        + "text for Postgres cannot hold the character U+0000")
    #expect(table == nil)
  }
}
