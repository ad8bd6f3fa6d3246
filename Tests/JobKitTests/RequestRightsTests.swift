@testable import JobKit
@testable import Ledger

import LocalTime
import Migrations
import Postgres
import TestKit
import TestSupport
import Testing

/// What an app's role can do that may ask for runs.
@Suite("The role that asks for runs")
struct RequestRightsTests {
  /// A server on which `the app` may ask for runs of a daemon's job, and `stranger` for nothing.
  private func site() throws -> Site {
    let site = try Site()
    let connection = try site.connect()
    try connection.run(script: "CREATE ROLE \"the app\" LOGIN; CREATE ROLE stranger LOGIN;")
    try Schema().grant(LedgerRoles(requester: "the app"), on: connection)
    try Ledger.enter(["sample"], at: LedgerClock.database.now(on: connection), on: connection)
    try Ledger.write([RequestForm(of: .sample(), arguments: [])], on: connection)
    return site
  }

  private func refusal(of statement: String, as role: String, at site: Site) throws -> String? {
    let connection = try site.connect(as: role)
    do throws(PostgresError) {
      try connection.run(script: statement)
      return nil
    } catch {
      return error.report?.sqlState
    }
  }

  @Test func `it asks for a run under its own name, and may do nothing else`() throws {
    let site = try site()
    let app = try site.connect(as: "the app")

    #expect(try app.run("SELECT run FROM jobkit.request('sample', key => 'a')").only[0] == 1)

    #expect(
      try site.connect().run("SELECT decided_by FROM jobkit.run").only[0, as: String.self]
        == "the app")
    let tables = SchemaRights.ledger.ofWorker.map(\.table)
    let refused = tables.flatMap {
      [
        "SELECT FROM jobkit.\($0)", "DELETE FROM jobkit.\($0)",
        "INSERT INTO jobkit.\($0) DEFAULT VALUES",
      ]
    }
    let calls = [
      "SELECT jobkit.takes('{}', '')", "SELECT jobkit.argument_of('1')",
      "SELECT jobkit.check_arguments('', '[]', '{}')", "CREATE TABLE jobkit.mine (n bigint)",
    ]
    for statement in refused + calls {
      #expect(try refusal(of: statement, as: "the app", at: site) == "42501", "\(statement)")
    }
    #expect(
      try refusal(of: "SELECT jobkit.request('sample')", as: "stranger", at: site) == "42501")
  }

  @Test func `granting again takes away what somebody gave it besides`() throws {
    let site = try site()
    let connection = try site.connect()
    try connection.run(script: "GRANT ALL ON ALL TABLES IN SCHEMA jobkit TO \"the app\"")

    try Schema().grant(LedgerRoles(requester: "the app"), on: connection)

    #expect(try refusal(of: "SELECT FROM jobkit.run", as: "the app", at: site) == "42501")
    #expect(try refusal(of: "SELECT jobkit.request('sample')", as: "the app", at: site) == nil)
  }

  @Test func `what the app looks names up in is never called with the owner's rights`() throws {
    let site = try site()
    try site.connect().run(
      script: "CREATE SCHEMA hostile; GRANT CREATE, USAGE ON SCHEMA hostile TO \"the app\"")
    let app = try site.connect(as: "the app")
    try app.run(script: Self.traps)
    // So a trap is one.
    #expect(throws: PostgresError.self) { try app.run("SELECT hostile.length('x'::text)") }

    #expect(
      try app.run("SELECT run FROM jobkit.request('sample', '{}', 'a', NULL)").only[0] == 1)
    let error = #expect(throws: PostgresError.self) {
      try app.run("SELECT FROM jobkit.request('sample', '{\"x\": 1}', 'b', NULL)")
    }
    #expect(
      error?.report?.message == "the job 'sample' has no argument 'x': it takes none")
  }

  private static let traps = """
    CREATE FUNCTION hostile.length(text) RETURNS integer LANGUAGE plpgsql AS $$ BEGIN RAISE 'a trap'; END $$;
    CREATE FUNCTION hostile.clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql AS $$ BEGIN RAISE 'a trap'; END $$;
    CREATE FUNCTION hostile.jsonb_typeof(jsonb) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE 'a trap'; END $$;
    CREATE FUNCTION hostile.same(text, text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE 'a trap'; END $$;
    CREATE OPERATOR hostile.= (LEFTARG = text, RIGHTARG = text, FUNCTION = hostile.same);
    CREATE TEMP TABLE run (id bigint, job text, request_key text);
    CREATE TEMP TABLE job (name text, requests jsonb);
    SET search_path = hostile, pg_temp, pg_catalog;
    """

  @Test(arguments: [
    LedgerRoles(worker: "the app", requester: "the app"),
    LedgerRoles(reader: "the app", requester: "the app"),
  ])
  func `a role that works or looks besides is refused`(roles: LedgerRoles) throws {
    let site = try site()

    let error = #expect(throws: MigrationError.self) {
      try Schema().check(roles, on: site.connect())
    }

    #expect(
      error?.description
        == "the role 'the app' is named as the one that asks for runs, which may do nothing else, and as worker"
        + " or reader: name another")
  }
}
