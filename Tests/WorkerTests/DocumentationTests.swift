internal import Postgres
internal import TestSupport
import Testing

@testable import WorkerProgram

/// What is shown to people must work as it stands.
@Suite("Documentation")
struct DocumentationTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase()
    folder = try ScratchFolder()
    _ = try folder.write("[database]\nurl = \"\(database.url)\"\n", to: "worker.toml", mode: 0o644)
    _ = try run("worker migrate up")
  }

  private func run(_ line: String) throws -> Program {
    let rest = line.dropFirst("worker".count)
    return try Program(
      shell: line == "worker daemon" ? Self.startAndEnd : "\"$PROGRAM\"\(rest)",
      variables: [
        "TZDIR": TestEnvironment.zoneinfo, "WORKER_CONFIG": folder.path + "/worker.toml",
        "LOG": folder.path + "/log", "PATH": "/usr/bin:/bin",
      ])
  }

  /// Starts the daemon, waits until it says so, and tells it to end.
  private static let startAndEnd = """
    "$PROGRAM" daemon 2>"$LOG" & \
    until grep -qs started "$LOG"; do kill -0 $! || exit 1; done; kill -TERM $!; wait $!
    """

  private static let pages = ["docs/learning.md", "docs/simulate.md"]

  /// The command lines that a page shows.
  private static func lines(of page: String) throws -> [String] {
    try blocks(of: page).filter { $0.hasPrefix("worker ") }
  }

  @Test(arguments: pages)
  func `every command that is shown runs`(page: String) throws {
    let lines = try Self.lines(of: page)

    #expect(lines.count >= 4)
    for line in lines {
      let program = try run(line)
      #expect(program.exitCode == 0, "\(line): \(program.errors)")
    }
  }

  @Test func `what docs-database shows runs, from the first role to the last command`() throws {
    let blocks = try Self.blocks(of: "docs/database.md")
    let server = try PrivateServer()
    let sql = blocks.filter { $0.hasPrefix("CREATE") || $0.hasPrefix("GRANT") }
    for statement in sql { try server.connect().run(script: statement) }
    let settings = blocks.filter { $0.hasPrefix("[") || $0.contains(" = ") }
    _ = try folder.write(settings.joined(separator: "\n"), to: "documented.toml", mode: 0o644)
    let lines = blocks.filter { $0.contains("worker ") && !sql.contains($0) }

    #expect(sql.count == 5 && settings.count == 4 && lines.count == 8)
    for line in lines {
      let words = line == "worker daemon" ? Self.startAndEnd : line
      let program = try Program(
        shell:
          "{ PATH=\(folder.path):$PATH; ln -sf \"$PROGRAM\" \(folder.path)/worker; \(words); }",
        variables: [
          "TZDIR": TestEnvironment.zoneinfo, "WORKER_CONFIG": folder.path + "/documented.toml",
          "LOG": folder.path + "/log", "PATH": "/usr/bin:/bin", "PGHOST": server.socketFolder,
        ])
      #expect(program.exitCode == 0, "\(line): \(program.errors)")
    }
  }

  /// The lines that a page shows as they are written.
  private static func blocks(of page: String) throws -> [String] {
    try TextFile.read(page).split(separator: "\n").filter { $0.hasPrefix("    ") }
      .map { String($0.dropFirst(4)) }
  }

  @Test func `every example of every command's help runs, here or as a line of those pages`() throws
  {
    let shown = try Set(Self.pages.flatMap(Self.lines))

    for example in Command.all.flatMap(\.examples) where !shown.contains(example.line) {
      let program = try runWithLearner(example.line)
      #expect(program.exitCode == 0, "\(example.line): \(program.errors)")
    }
  }

  /// Runs a line; a learner whom it names is there only for it, as made-up ones want a database of their own.
  private func runWithLearner(_ line: String) throws -> Program {
    guard line.contains("--user 17") else { return try run(line) }
    let connection = try database.connect()
    try connection.run(
      """
      INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
      VALUES (17, 'Ana', 'UTC', '2026-01-01Z', '2026-01-01Z')
      """)
    let program = try run(line)
    try connection.run("DELETE FROM learning.users WHERE user_id = 17")
    return program
  }

  @Test func `the job that is shown to authors is the one that is tested`() throws {
    let shown = try TextFile.read("docs/jobs.md")

    for name in [
      "PurgeExpiredSessions", "PurgeExpiredSessionsTests", "SessionSchema", "SessionRules",
    ] {
      let code = try TextFile.read("Tests/ExampleTests/\(name).swift")
      #expect(shown.contains("```swift\n\(code)```\n"), "\(name)")
    }
  }

  @Test func `the page's exit codes are the program's`() throws {
    let readme = try TextFile.read("docs/exit-codes.md")

    for code in ExitCode.allCases {
      #expect(readme.contains("| \(code.rawValue) | \(code.meaning) |"))
    }
  }

  @Test func `the README fits one screen`() throws {
    #expect(
      try TextFile.read("README.md").split(separator: "\n", omittingEmptySubsequences: false).count
        <= 70)
  }
}
