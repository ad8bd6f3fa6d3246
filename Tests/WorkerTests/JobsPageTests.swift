import Jobs
import Postgres
import TestSupport
import Testing

/// What docs/jobs.md shows besides the code of its example, which has tests of its own.
@Suite("The page for authors of jobs")
struct JobsPageTests {
  private func blocks(of language: String) throws -> [String] {
    try TextFile.read("docs/jobs.md").split(separator: "```\(language)\n").dropFirst()
      .compactMap { $0.split(separator: "```", omittingEmptySubsequences: false).first }
      .map(String.init)
  }

  @Test func `the app's grants let the worker's role do what the job does, and no more`() throws {
    let server = try PrivateServer()
    try server.connect().run("CREATE ROLE worker LOGIN")

    for script in try blocks(of: "sql") { try server.connect().run(script: script) }

    let rights: String = try server.connect().run(
      """
      SELECT string_agg("right", ' ') FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS "right"
      WHERE has_table_privilege('worker', 'session', "right")
      """
    ).only[0]
    #expect(rights == "SELECT DELETE")
  }

  @Test
  func
    `a program without the other jobs needs the settings that are shown, and shows them disabled`()
    throws
  {
    let database = try TestDatabase.migrated()
    let folder = try ScratchFolder()
    let disabling = try #require(try blocks(of: "toml").first { $0.hasPrefix("[jobs]") })
    _ = try folder.write(
      "[database]\nurl = \"\(database.url)\"\n\(disabling)", to: "worker.toml", mode: 0o644)
    let lines = try TextFile.read("docs/jobs.md").split(separator: "\n")
      .filter { $0.hasPrefix("    worker ") }.map { $0.dropFirst("    worker ".count) }

    #expect(lines == ["check", "jobs"])
    for line in lines + ["jobs --json"] {
      let program = try Program(
        words: line.split(separator: " ").map(String.init),
        variables: [
          "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": TestEnvironment.zoneinfo,
        ])
      #expect(program.exitCode == 0, "\(line): \(program.errors)")
      let disabled = program.output.split(separator: "\"enabled\": false").count - 1
      #expect(line != "jobs --json" || disabled == learningDefinitions.count)
    }
  }
}
