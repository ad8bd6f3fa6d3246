import Postgres
import Synchronization
import TestSupport
import Testing

@Suite struct ConnectionTests {
  @Test func `notices are handed over`() throws {
    let heard = Mutex([Notice]())
    let connection = try Connection(to: Server(TestEnvironment.postgres)) { notice in
      heard.withLock { $0.append(notice) }
    }

    try connection.run(
      script: """
        DO $$ BEGIN RAISE WARNING 'disk %', 'full' USING DETAIL = 'd', HINT = 'h'; END $$;
        """)
    let notices = heard.withLock { $0 }

    #expect(notices.map(\.severity) == ["WARNING"])
    #expect(notices.map(\.message) == ["disk full"])
    #expect(notices.map(\.sqlState) == ["01000"])
    #expect(notices.map(\.detail) == ["d"] && notices.map(\.hint) == ["h"])
  }

  @Test func `a script runs as one transaction`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()

    let error = refusal {
      try connection.run(script: "CREATE TABLE t (id bigint);\nSELECT 1 / 0;")
    }
    let table: String? = try connection.value("SELECT to_regclass('t')::text")

    #expect(
      error?.description
        == "division by zero (SQLSTATE 22012), in 'CREATE TABLE t (id bigint);'")
    #expect(table == nil)
  }

  @Test func `an error that names its table needs no statement, and leaves the connection well`()
    throws
  {
    let connection = try TestDatabase.connectToShared()

    let error = refusal { try connection.run("SELECT\n  nothing\nFROM nowhere") }
    let one: Int = try connection.value("SELECT 1::bigint")

    #expect(
      error?.description
        == "relation \"nowhere\" does not exist (SQLSTATE 42P01)")
    #expect(one == 1)
  }

  @Test func `an error has all that the server said`() throws {
    let connection = try TestDatabase.connectToShared()

    let error = refusal {
      try connection.run(
        script: """
          DO $$ BEGIN
            RAISE 'no' USING DETAIL = 'd', HINT = 'h', ERRCODE = 'XX001',
              SCHEMA = 's', TABLE = 't', COLUMN = 'c', CONSTRAINT = 'k';
          END $$
          """)
    }

    var report = ServerReport(sqlState: "XX001", message: "no", statement: "DO $$ BEGIN")
    report.detail = "d"
    report.hint = "h"
    report.context = "PL/pgSQL function inline_code_block line 2 at RAISE"
    report.schema = "s"
    report.table = "t"
    report.column = "c"
    report.constraint = "k"
    #expect(error == .failed(report))
    #expect(error?.description == "no (SQLSTATE XX001); hint: h, in 'DO $$ BEGIN'")
  }

  @Test func `a connection leaves nothing on its session`() throws {
    let connection = try TestDatabase.connectToSession()
    try connection.transaction(statementLimit: .seconds(9), lockLimit: .seconds(9)) { connection in
      try connection.run("SELECT \(1)")
    }
    try connection.copy(rowsOf: "SELECT 1") { _ in }

    let prepared: Int = try connection.value(
      "SELECT count(*) FROM pg_prepared_statements WHERE name <> ''")
    let settings: Int = try connection.value(
      "SELECT count(*) FROM pg_settings WHERE source = 'session'")

    #expect([prepared, settings] == [0, 0])
  }

  @Test func `a statement that is empty returns nothing`() throws {
    let connection = try TestDatabase.connectToShared()

    let count = try connection.run("").count

    #expect(count == 0)
  }

  @Test func `a statement with a character that ends C strings is refused`() throws {
    let connection = try TestDatabase.connectToShared()

    let error = refusal { try connection.run("SELECT 1\0; DROP TABLE run") }

    #expect(error?.description == "a statement cannot hold the character U+0000")
  }

  @Test func `versions are told`() throws {
    let connection = try TestDatabase.connectToShared()

    let told: String = try connection.value("SHOW server_version")

    #expect(connection.serverVersion == told)
    #expect(Libpq.version?.split(separator: ".").count == 2)
    #expect(Libpq.builtFor.contains(/^\d+\.\d+$/))
    #expect(Libpq.builtFor.prefix { $0 != "." } == Libpq.version?.prefix { $0 != "." })
  }
}
