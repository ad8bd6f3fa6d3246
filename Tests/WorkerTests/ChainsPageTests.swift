import Postgres
import TestSupport
import Testing

/// What docs/chains.md shows, with the real program on a real database.
@Suite("The page about chains of jobs")
struct ChainsPageTests {
  /// The jobs that the page shows.
  private static func jobs(of page: String) throws -> String {
    let shown = page.split(separator: "```toml\n").dropFirst().first?.split(separator: "```").first
    return String(try #require(shown))
  }

  @Test func `the jobs that are shown are taken, and the lines that are shown run`() throws {
    let (database, folder) = (try TestDatabase.migrated(), try ScratchFolder())
    let page = try TextFile.read("docs/chains.md")
    let settings = "[database]\nurl = \"\(database.url)\"\n\(try Self.jobs(of: page))"
    let file = try folder.write(settings, to: "worker.toml", mode: 0o644)
    let lines = page.split(separator: "\n").filter { $0.hasPrefix("    worker ") }

    let said = try lines.map { line in
      let program = try Program(
        shell: "\"$PROGRAM\" \(line.dropFirst(11))",
        variables: ["WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo, "USER": "ana"])
      #expect(program.exitCode == 0, "\(line): \(program.errors)")
      return program.output
    }

    try #require(said.count == 3)
    #expect(said[0].contains("0 3 * * *, after load_orders"))
    #expect(said[1].contains("after load_orders"))
    #expect(
      said[2].contains("its ticks come after load_orders: each waits for its success, 6h at most"))
  }
}
