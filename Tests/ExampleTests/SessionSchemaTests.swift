import JobKit
import Migrations
import Postgres
import Settings
import TestKit
import TestSupport
import Testing

@Suite("The tables and the settings of a job of one's own")
struct SessionSchemaTests {
  @Test func `migrating makes its tables, and grants the worker's role what the schema says`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T03:30:00Z", with: .sessions)
    let role = "role_\(UInt32.random(in: 0 ... .max))"
    try stage.connection.run("CREATE ROLE \(identifier: role)")

    try Schema.sessions.grant(LedgerRoles(worker: role), on: stage.connection)

    #expect(
      try stage.text(
        """
        SELECT string_agg("right", ' ') FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS "right"
        WHERE has_table_privilege(\(role), 'sessions.deletions', "right")
        """) == "SELECT INSERT")
    try stage.connection.run("DROP OWNED BY \(identifier: role)")
    try stage.connection.run("DROP ROLE \(identifier: role)")
  }

  @Test func `its settings are read like any other, and are as the page shows them by default`()
    throws
  {
    let shown = try TextFile.read("docs/jobs.md").split(separator: "```toml\n").dropFirst()
      .compactMap { $0.split(separator: "```").first }.first { $0.hasPrefix("[sessions]") }

    let page = try #require(shown).description

    #expect(try rules(page).kept == SessionRules().kept)
    #expect(try rules(page.replacing("30d", with: "7d")).kept == .seconds(7 * 86_400))
  }

  private func rules(_ text: String) throws -> SessionRules {
    let catalogue = Catalogue([PurgeExpiredSessions().definition], rules: SessionRules.settings)
    let zones = try Stage(at: "2026-03-01T03:30:00Z").zones
    let loaded = try Settings.load(text, file: "worker.toml", catalogue: catalogue) { _ in zones }
    return SessionRules(loaded.settings.rules)
  }
}
