internal import JobKit
internal import Jobs
internal import Postgres
internal import TestSupport
internal import Testing

@testable import WorkerProgram

/// The handbook, the page about time and the one about security, held against the program.
@Suite("Documentation of operations")
struct OperationsDocumentationTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase()
    folder = try ScratchFolder()
    let settings = """
      [database]
      url = "\(database.url)"
      [push]
      log = "\(folder.path)/pushes"
      [notify]
      command = ["/bin/cat"]
      [retention]
      succeeded = "3660d"

      """
    _ = try folder.write(settings, to: "worker.toml", mode: 0o644)
    try #require(try run("worker migrate up").exitCode == 0)
    try database.connect().run(script: OperationsScene.sql)
  }

  private func run(_ line: String) throws -> Program {
    try Program(
      shell: "\"$PROGRAM\"\(line.dropFirst("worker".count))",
      variables: [
        "TZDIR": TestEnvironment.zoneinfo, "WORKER_CONFIG": folder.path + "/worker.toml",
        "USER": "ana", "PATH": "/usr/bin:/bin",
      ])
  }

  /// The command lines that a page shows, in their order.
  private static func commands(of page: String) -> [String] {
    page.split(separator: "\n").filter { $0.hasPrefix("    worker ") }
      .map { String($0.dropFirst(4)) }
  }

  /// The blocks of a page in this language.
  private static func blocks(of page: String, in language: String) -> [String] {
    page.split(separator: "```\(language)\n").dropFirst().compactMap { rest in
      rest.split(separator: "```").first.map(String.init)
    }
  }

  @Test(arguments: [
    ("docs/operations.md", 50), ("docs/security.md", 5), ("docs/time.md", 12),
  ])
  func `every command that is shown runs, in a night in which all has happened`(
    page: String, fewest: Int
  ) throws {
    let lines = Self.commands(of: try TextFile.read(page))

    #expect(lines.count >= fewest)
    for line in lines {
      let program = try run(line)
      // Those answer whether all is well. Here it is not.
      let verdicts = ["worker health", "worker doctor", "worker audit"]
      let isVerdict = verdicts.contains { line.hasPrefix($0) }
      let isWell = program.exitCode == 0 || (isVerdict && program.exitCode == 1)
      #expect(isWell, "\(line): \(program.output)\(program.errors)")
    }
  }

  @Test func `the backfill that is shown runs what never ran, and nothing that succeeded`() throws {
    let line = try #require(
      Self.commands(of: try TextFile.read("docs/operations.md"))
        .first { $0.hasPrefix("worker backfill ") })

    #expect(
      try run(line).output
        == "would run 2 of 3 ticks, 2026-03-01T02:00:00Z to 2026-03-01T02:15:00Z\n")
  }

  @Test func `the jobs that are said to be backfilled are those that are`() throws {
    let names = learningDefinitions.filter(\.policies.mayBackfill).map(\.name.text).sorted()

    #expect(names == ["detect_streak_breaks", "settle_rewards", "sweep_push_outcomes"])
    let sentence = "Only detect_streak_breaks, settle_rewards and sweep_push_outcomes"
    for text in try [
      Command.backfill.discussion, TextFile.read("docs/operations.md"),
      TextFile.read("docs/ledger.md"),
    ] {
      #expect(text.replacing("`", with: "").replacing("\n", with: " ").contains(sentence))
    }
  }

  @Test func `every query that is shown runs`() throws {
    let queries = Self.blocks(of: try TextFile.read("docs/operations.md"), in: "sql")

    #expect(queries.count == 2)
    for query in queries { try database.connect().run(script: query) }
  }

  @Test func `what is shown for systemd names units and fields that exist`() throws {
    let handbook = try TextFile.read("deploy/systemd/README.md")
    let lines = Self.blocks(of: try TextFile.read("docs/operations.md"), in: "console")
      .flatMap { $0.split(separator: "\n") }

    #expect(lines.count >= 8)
    for line in lines {
      let words = line.split(separator: " ")
      #expect(words.first == "systemctl" || words.first == "journalctl", "\(line)")
      #expect(words.contains("worker"), "\(line)")
      for field in words.filter({ $0.hasPrefix("WORKER_") }) {
        let name = field.prefix { $0 != "=" }
        #expect(handbook.contains("`\(name)`"), "\(line)")
      }
    }
    let unit = try TextFile.read("deploy/systemd/worker.service")
    #expect(unit.contains("\nWatchdogSec=90s\n") && unit.contains("\nRestartSec=5s\n"))
  }

  @Test func `the ticks in the tables about time are those that the commands print`() throws {
    let page = try TextFile.read("docs/time.md")

    for line in Self.commands(of: page).filter({ $0.hasPrefix("worker next ") }) {
      let ticks = try run(line + " --json").output.matches(
        of: /"scheduled_for": "([^"]*)",\n +"local": "([^"]*)"/)
      let rows = ticks.map { "| \($0.output.1) | \($0.output.2) |\n" }
      let shown = "    \(line)\n\n| scheduled for | local |\n|---|---|\n\(rows.joined())\n"
      #expect(page.contains(shown), "\(line)")
    }
  }
}
