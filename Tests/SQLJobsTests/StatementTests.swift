import Config
import Ledger
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

@testable import JobKit

@Suite("A job of the settings that runs a statement")
struct StatementTests {
  private static func archive(_ rest: String = "") -> String {
    """
    where = "state = 'closed'"
    chunk = 7
    statement = \"\"\"
      INSERT INTO shop.archive (cart_id, archived_at)
      SELECT cart_id, :moment FROM shop.cart WHERE cart_id IN (:keys)
      \(rest) -- the last line
    \"\"\"
    """
  }

  private func stage(carts: Int) throws -> Stage {
    let stage = try Stage.shop(carts: carts)
    try stage.connection.run(
      "CREATE TABLE shop.archive (cart_id bigint PRIMARY KEY, archived_at timestamptz)")
    return stage
  }

  @Test func `runs it for the keys of each chunk, and counts what it writes`() throws {
    let stage = try stage(carts: 1000)

    let run = try stage.run(try Described.carts(Self.archive(), kind: "statement"))

    #expect(run.state == .succeeded && run.counters.text == "written 100")
    #expect(
      try stage.count(
        "SELECT count(*) FROM shop.archive WHERE archived_at = '2026-03-01T03:30:00Z'") == 100)
  }

  @Test func `counts by what it returns, and a row that is there already counts as none`() throws {
    let stage = try stage(carts: 100)
    let text = Self.archive("ON CONFLICT DO NOTHING RETURNING cart_id % 20 = 0, cart_id")
    try stage.connection.run("INSERT INTO shop.archive VALUES (10), (20)")

    let run = try stage.run(try Described.carts(text, kind: "statement"))

    #expect(run.counters.text == "written 8 (false 4, true 4)")
  }

  @Test func `goes through keys of two columns`() throws {
    let stage = try Stage.shop(carts: 100)
    try stage.connection.run("CREATE UNIQUE INDEX ON shop.cart (cart_id, zone)")
    let text = Described.text(
      """
      where = "true"
      chunk = 9
      statement = "UPDATE shop.cart SET touches = touches + 1 WHERE (cart_id, zone) IN (:keys)"
      """, kind: "statement"
    ).replacing("\"cart_id\"", with: "\"cart_id, zone\"")

    let run = try stage.run(Described(text))

    #expect(run.counters["written"] == 100)
    #expect(try stage.count("SELECT count(*) FROM shop.cart WHERE touches = 1") == 100)
  }

  @Test func `a dry run names keys, counts rows by table, and writes none`() throws {
    let stage = try stage(carts: 30)

    let report = try stage.dryRun(try Described.carts(Self.archive(), kind: "statement"))

    #expect(report.progress.examples == ["10", "20", "30"].map { "cart_id \($0): chosen" })
    #expect(report.changes.map(\.description) == ["insert 3 rows in shop.archive"])
    #expect(try stage.count("SELECT count(*) FROM shop.archive") == 0)
  }

  @Test func `is planned by the database before it is ever run`() throws {
    let stage = try stage(carts: 30)
    let text = Self.archive().replacing("archived_at", with: "archivd_at")

    let said = try Described.carts(text, kind: "statement").job.findings(
      parts: 1, percent: 100, at: stage.now, in: stage.zones, on: stage.connection)

    try #require(said.count == 1)
    #expect(
      said[0].problem.description.hasSuffix(
        "'jobs.old_carts.statement' is refused by PostgreSQL: column \"archivd_at\" of relation"
          + " \"archive\" does not exist (SQLSTATE 42703)"))
  }

  @Test(arguments: [
    ("TRUNCATE shop.cart", "begins with no INSERT, UPDATE or DELETE: write one of them"),
    ("COPY shop.cart TO '/tmp/x'", "begins with no INSERT, UPDATE or DELETE: write one of them"),
    (
      "DELETE FROM shop.cart",
      "does not name ':keys', so that each chunk would do the same: write … IN (:keys)"
    ),
    (
      "DELETE FROM shop.cart WHERE cart_id IN (:keys); DROP TABLE shop.cart",
      "holds ';': write one statement and no ';'"
    ),
    (
      "DELETE FROM ONLY learning.users WHERE user_id IN (:keys)",
      "writes to a table of 'learning', which the jobs of this program write: read it only"
    ),
    (
      "DELETE FROM shop.cart WHERE cart_id IN (:keys) AND :from",
      "names ':from', which is no parameter: write :moment, :local_days, :since or :keys"
    ),
  ])
  func `what is no statement for the keys of a chunk is refused`(text: String, said: String) throws
  {
    let problems = try Described.problems(
      in: Described.text("where = \"true\"\nstatement = \"\(text)\"", kind: "statement"))

    #expect(problems.count == 1)
    #expect(problems.first?.hasSuffix("'jobs.old_carts.statement' \(said)") == true)
  }
}
