import Ledger
import Migrations
import Postgres
import Runner
import Settings
import Testing
import TestKit
import TestSupport

@testable import JobKit
@testable import SQLJobs

/// What `worker check --connect` says of jobs of the settings.
@Suite("What a database has against a job of the settings")
struct FindingTests {
  private func findings(
    _ text: String, _ stage: Stage, parts: Int = 1, as role: String? = nil
  ) throws -> [String] {
    if let role { try stage.connection.run("SET ROLE \(identifier: role)") }
    defer { _ = try? stage.connection.run("RESET ROLE") }
    return try Described(text).job.findings(
      parts: parts, percent: 100, at: stage.now, in: stage.zones, on: stage.connection
    ).map { "\($0.isRemark ? "remark: " : "")\($0.problem)".replacing("worker.toml:", with: "") }
  }

  @Test func `a job that can run has none, and nothing of it is carried out`() throws {
    let stage = try Stage.shop(carts: 10)
    let text = Described.text(
      Described.old + "set = \"state = 'closed'\"\ncount = \"state\"\ncheck = \"touches < 0\"",
      kind: "set")

    #expect(try findings(text, stage) == [])
    #expect(try stage.count("SELECT count(*) FROM shop.cart WHERE state = 'closed'") == 1)
  }

  @Test(arguments: [
    (
      "table = \"shop.crt\"",
      "3:9: 'jobs.old_carts.table' will not do: there is no table 'shop.crt': create it, or write the name that it has, with its schema"
    ),
    (
      "key = \"id\"",
      "4:7: 'jobs.old_carts.key' will not do: 'shop.cart' has no column 'id': write some of cart_id, state, touched_at, closed_at, zone, touches"
    ),
    (
      "key = \"closed_at\"",
      "4:7: 'jobs.old_carts.key' will not do: 'shop.cart.closed_at' may be NULL, and a row without a key is never reached: write a key that is NOT NULL"
    ),
    (
      "key = \"zone\"",
      "4:7: 'jobs.old_carts.key' will not do: 'shop.cart' has no unique index on (zone): write the columns of one in its order, such as those of the primary key"
    ),
  ])
  func `a table or a key that cannot be gone through is refused`(line: String, said: String) throws
  {
    let stage = try Stage.shop(carts: 1)
    let name = String(line.prefix { $0 != " " })
    let text = Described.text(Described.old).split(separator: "\n")
      .map { $0.hasPrefix("\(name) =") ? line : String($0) }.joined(separator: "\n")

    #expect(try findings(text, stage) == [said])
  }

  @Test func `what PostgreSQL refuses is said of the text that it stands in`() throws {
    let stage = try Stage.shop(carts: 1)

    #expect(
      try findings(Described.text("where = \"stat = 'open'\""), stage) == [
        "7:10: 'jobs.old_carts.where' is refused by PostgreSQL: column \"stat\" does not exist"
          + " (SQLSTATE 42703)"
      ])
    let text = Described.text(
      "where = \"true\"\nset = \"closed_at = 3\"\ncount = \"1/0 = x\"", kind: "set")
    #expect(
      try findings(text, stage).map { String($0.prefix(53)) } == [
        "8:8: 'jobs.old_carts.set' is refused by PostgreSQL: c",
        "9:10: 'jobs.old_carts.count' is refused by PostgreSQL",
      ])
  }

  @Test func `a role that lacks a right is told what to type`() throws {
    let stage = try Stage.shop(carts: 1)
    let role = "role_\(UInt32.random(in: 0 ... .max))"
    try stage.connection.run("CREATE ROLE \(identifier: role)")

    let said = try findings(Described.text(Described.old), stage, as: role)

    let grant =
      "GRANT USAGE ON SCHEMA shop TO \(role); GRANT SELECT, DELETE ON shop.cart TO \(role)"
    #expect(
      said == [
        "3:9: 'jobs.old_carts.table' is out of reach: the role '\(role)' lacks SELECT on shop.cart"
          + " and DELETE on shop.cart: type as the owner '\(grant)'"
      ])
    try stage.connection.run(script: grant)
    #expect(try findings(Described.text(Described.old), stage, as: role) == [])
    try stage.connection.run("DROP OWNED BY \(identifier: role)")
    try stage.connection.run("DROP ROLE \(identifier: role)")
  }

  @Test func `a clock that hides in a volatile function is remarked on`() throws {
    let stage = try Stage.shop(carts: 1)
    try stage.connection.run(
      script: """
        CREATE FUNCTION shop.is_old(timestamptz) RETURNS boolean LANGUAGE sql AS
          'SELECT $1 < now() - interval ''1 day''';
        CREATE FUNCTION shop.is_young(timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE AS
          'SELECT false';
        """)

    let said = try findings(
      Described.text("where = \"shop.is_young(touched_at) OR shop.is_old(touched_at)\""), stage)

    #expect(
      said == [
        "remark: 7:44: 'jobs.old_carts.where' calls shop.is_old(), which is VOLATILE and may read a"
          + " clock or roll dice: a late run may then do other work than one in time"
      ])
  }

  @Test func `a plan that reads the whole of a big table is remarked on, until an index helps`()
    throws
  {
    let stage = try Stage.shop(carts: 150_000)
    try stage.connection.run("UPDATE shop.cart SET touched_at = '2025-01-01Z' WHERE cart_id < 100")
    try stage.connection.run(outsideTransactions: "VACUUM ANALYZE shop.cart")
    let text = Described.text("where = \"touched_at < :moment - interval '90 days'\"")

    let before = try findings(text, stage)
    try stage.connection.run("CREATE INDEX ON shop.cart (touched_at)")
    let after = try findings(text, stage)

    #expect(
      before == [
        "remark: 7:10: 'jobs.old_carts.where' reads all of some 150000 rows of shop.cart in each"
          + " run: an index on what it compares with :moment lets it read those that match"
      ])
    #expect(after == [])
  }
}
