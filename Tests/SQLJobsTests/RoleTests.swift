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
  /// Does something while there is a role that may close carts, and nothing else.
  private func withRole(_ stage: Stage, _ work: (String) throws -> Void) throws {
    let role = "role_\(UInt32.random(in: 0 ... .max))"
    try stage.connection.run(
      script: """
        CREATE ROLE \(role);
        GRANT USAGE ON SCHEMA shop TO \(role);
        GRANT SELECT, UPDATE ON shop.cart TO \(role);
        CREATE TABLE shop.secret AS SELECT 3 AS cart_id;
        """)
    defer { try? stage.connection.run(script: "DROP OWNED BY \(role); DROP ROLE \(role)") }
    try work(role)
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
    try withRole(stage) { role in
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
    try withRole(stage) { role in
      let job = try job(role, where: "cart_id IN (SELECT cart_id FROM shop.secret)")

      let run = try stage.run(job)
      let findings = try job.job.findings(
        parts: 1, percent: 100, at: stage.now, in: stage.zones, on: stage.connection)

      #expect(run.state == .failed)
      #expect(run.error?.contains("permission denied for table secret") == true)
      #expect(
        findings.map { "\($0.problem)" } == [
          "worker.toml:3:9: 'jobs.old_carts.table' is out of reach: permission denied for table"
            + " secret: 'sql_role' is '\(role)', which needs SELECT and UPDATE there, USAGE of the"
            + " schema, and the daemon's role as a member"
        ])
    }
  }
}
