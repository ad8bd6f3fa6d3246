import JobKit
import Ledger
import Postgres
import Runner
import Settings
import Testing
import TestKit
import TestSupport

@Suite("A job of the settings with the rights of another role")
struct RoleTests {
  /// Does something while there is a role with some rights to the shop, and another that has none.
  private func withRole(
    _ stage: Stage, _ rights: [String] = ["GRANT SELECT, UPDATE ON shop.cart TO"],
    _ work: (_ role: String, _ other: String) throws -> Void
  ) throws {
    let names = ["role", "other"].map { "\($0)_\(UInt32.random(in: 0 ... .max))" }
    let (role, other) = (names[0], names[1])
    let given = (["GRANT USAGE ON SCHEMA shop TO"] + rights).map { "\($0) \(role);" }
    try stage.connection.run(
      script: "CREATE ROLE \(role); CREATE ROLE \(other); \(given.joined(separator: " "))")
    defer {
      try? stage.connection.run(
        script: "RESET SESSION AUTHORIZATION; DROP OWNED BY \(role), \(other);"
          + " DROP ROLE \(role), \(other)")
    }
    try work(role, other)
  }

  private func findings(
    _ job: Described, _ stage: Stage, as daemon: String? = nil
  ) throws -> [String] {
    if let daemon {
      try stage.connection.run("SET SESSION AUTHORIZATION \(identifier: daemon)")
    }
    defer { _ = try? stage.connection.run("RESET SESSION AUTHORIZATION") }
    return try job.job.findings(
      parts: 1, percent: 100, at: stage.now, in: stage.zones, on: stage.connection
    ).map { "\($0.problem)".replacing("worker.toml:", with: "") }
  }

  private func job(_ role: String, where condition: String) throws -> Described {
    try .carts(
      """
      where = "\(condition)"
      set = "state = current_user"
      most_share = 0.9
      check = "state = 'open'"
      tries = 1
      sql_role = "\(role)"
      """, kind: "set")
  }

  @Test func `writes rows with the rights of the role, and the ledger with those of the daemon`()
    throws
  {
    let stage = try Stage.shop(carts: 100)
    try withRole(stage) { role, _ in
      let job = try job(role, where: "state = 'open'")

      let report = try stage.dryRun(job)
      let run = try stage.run(job)

      #expect(report.planned == 90 && report.progress.counters["changed"] == 90)
      #expect(run.state == .succeeded && run.counters["changed"] == 90)
      #expect(try stage.count("SELECT count(*) FROM shop.cart WHERE state = \(role)") == 90)
    }
  }

  @Test func `reads nothing that the role may not read`() throws {
    let stage = try Stage.shop(carts: 100)
    try withRole(stage) { role, _ in
      try stage.connection.run("CREATE TABLE shop.secret AS SELECT 3 AS cart_id")
      let job = try job(role, where: "cart_id IN (SELECT cart_id FROM shop.secret)")

      let run = try stage.run(job)
      let why = #expect(throws: PostgresError.self) {
        try job.explain(key: "3", at: stage.now, in: stage.zones, stage.connection)
      }

      #expect(run.state == .failed)
      #expect(run.error?.contains("permission denied for table secret") == true)
      #expect(why?.report?.message == "permission denied for table secret")
      #expect(
        try findings(job, stage) == [
          "3:9: 'jobs.old_carts.table' is out of reach: permission denied for table"
            + " secret: 'sql_role' is '\(role)', which needs SELECT and UPDATE there, USAGE of the"
            + " schema, and the daemon's role as a member"
        ])
    }
  }

  @Test func `tells why with the rights of the role, of a row and of a group`() throws {
    let stage = try Stage.purchases()
    let rights = ["GRANT SELECT ON shop.purchase TO", "GRANT SELECT ON shop.day TO"]
    try withRole(stage, rights) { role, _ in
      let text = Described.countingText("sql_role = \"\(role)\"").replacing(
        "bought_at::date", with: "CASE current_user WHEN '\(role)' THEN bought_at::date END")

      let lines = try Described(text).explain(
        key: "2026-02-02", at: stage.now, in: stage.zones, stage.connection
      ).lines

      #expect(
        lines.dropFirst() == [
          "10 rows of shop.purchase in it are new",
          "counted now, its row would be: new: purchases '10', amount '325.00'",
        ])
    }
  }

  @Test func `a right to write the groups is missing at their table, not at that of the rows`()
    throws
  {
    let stage = try Stage.purchases()
    let rights = ["GRANT SELECT ON shop.purchase TO", "GRANT SELECT ON shop.day TO"]
    try withRole(stage, rights) { role, _ in
      let said = try findings(.counting("sql_role = \"\(role)\""), stage)

      #expect(
        said == [
          "4:8: 'jobs.days.into' is out of reach: permission denied for table day: 'sql_role' is"
            + " '\(role)', which needs SELECT, INSERT, UPDATE and DELETE there, USAGE of the schema,"
            + " and the daemon's role as a member"
        ])
    }
  }
}

/// Only the owner of a table may drop its partitions.
extension RoleTests {
  private func withOwner(
    _ stage: Stage, _ work: (_ owner: String, _ other: String) throws -> Void
  ) throws {
    let tables = try ["shop.hit"] + stage.partitions()
    try withRole(stage, tables.map { "ALTER TABLE \($0) OWNER TO" }, work)
  }

  @Test
  func `a role that does not own the table is told what to type, and drops by another's rights`()
    throws
  {
    let stage = try Stage.hits()
    try withOwner(stage) { owner, daemon in
      #expect(
        try findings(.dropping(), stage, as: daemon) == [
          "3:9: 'jobs.old_hits.table' is out of reach: 'shop.hit' or a partition of it belongs to"
            + " '\(owner)', and only a table's owner may drop it: type 'GRANT \(owner) TO \(daemon)',"
            + " and write sql_role = \"\(owner)\" in place of the rights of '\(daemon)'"
        ])

      let run = try stage.run(try Described.dropping("sql_role = \"\(owner)\""))

      #expect(run.counters.text == "dropped 3")
    }
  }

  @Test func `a daemon that owns the table is granted nothing`() throws {
    let stage = try Stage.hits()
    try withOwner(stage) { owner, role in
      let said = try findings(.dropping("sql_role = \"\(role)\""), stage, as: owner)

      #expect(
        said == [
          "3:9: 'jobs.old_hits.table' is out of reach: 'shop.hit' or a partition of it belongs to"
            + " '\(owner)', and only a table's owner may drop it: write sql_role = \"\(owner)\" in"
            + " place of the rights of '\(role)'"
        ])
    }
  }

  @Test func `an owner whose rights the daemon may not take is found before a run`() throws {
    let stage = try Stage.hits()
    try withOwner(stage) { owner, daemon in
      let job = try Described.dropping("sql_role = \"\(owner)\"")

      let before = try findings(job, stage, as: daemon)
      try stage.connection.run("GRANT \(identifier: owner) TO \(identifier: daemon)")
      let after = try findings(job, stage, as: daemon)

      #expect(
        before == [
          "3:9: 'jobs.old_hits.table' is out of reach: permission denied to set role \"\(owner)\":"
            + " 'sql_role' is '\(owner)', which needs ownership there, USAGE of the schema, and the"
            + " daemon's role as a member"
        ])
      #expect(after == [])
    }
  }

  @Test func `a role that does not exist is said to be none`() throws {
    let stage = try Stage.hits()

    #expect(
      try findings(.dropping("sql_role = \"nobody_at_all\""), stage) == [
        "3:10: 'jobs.old_hits.table' is refused by PostgreSQL: role \"nobody_at_all\" does not exist"
          + " (SQLSTATE 22023)"
      ])
  }
}
