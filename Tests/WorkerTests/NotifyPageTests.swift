import Config
import JobKit
import Ledger
import LocalTime
import Runner
import TestSupport
import Testing

/// What `docs/notify.md` shows must work as it stands.
@Suite("The page on being told")
struct NotifyPageTests {
  private let page: String
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    page = try TextFile.read("docs/notify.md")
    database = try TestDatabase()
    folder = try ScratchFolder()
  }

  /// Runs a line of shell with these settings in force.
  private func run(_ line: String, settings: String) throws -> Program {
    try folder.write(
      "[database]\nurl = \"\(database.url)\"\n\(settings)\n", to: "worker.toml")
    return try Program(
      shell: line,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": TestEnvironment.zoneinfo,
        "PATH": "/usr/bin:/bin",
      ])
  }

  /// The blocks of lines that are shown as they are written.
  private var blocks: [String] {
    page.split(separator: "\n", omittingEmptySubsequences: false)
      .split { !$0.isEmpty && !$0.hasPrefix("    ") }
      .map { lines in lines.map { $0.dropFirst(4) }.joined(separator: "\n") }
      .filter { $0.contains(where: { !$0.isWhitespace }) }
  }

  @Test func `all settings that are shown can be used`() throws {
    let settings = blocks.filter { $0.contains("[notify]") }

    #expect(settings.count == 3)
    for block in settings {
      let program = try run("\"$PROGRAM\" check", settings: block)
      #expect(program.exitCode == 0, "\(block): \(program.errors)")
    }
  }

  @Test func `every command that is shown runs`() throws {
    let lines = blocks.joined(separator: "\n").split(separator: "\n")
      .filter { $0.hasPrefix("worker ") }
    let settings = "[notify]\ncommand = [\"/bin/cat\"]"
    _ = try run("\"$PROGRAM\" migrate up", settings: settings)

    #expect(lines.count == 7)
    for line in lines {
      let program = try run("\"$PROGRAM\"\(line.dropFirst("worker".count))", settings: settings)
      #expect(program.exitCode == 0, "\(line): \(program.errors)")
    }
  }

  @Test func `every event, member and variable of a message is on the page`() throws {
    let message = WrittenMessage(
      .test(at: try Instant("2026-03-01T10:00:00Z")), from: "ana", next: nil)
    let members = message.json.compact.matches(of: /"(\w+)": ?/).map { String($0.output.1) }

    #expect(members.count == 13)
    for name in members + message.variables.map(\.name) {
      #expect(page.contains("`\(name)`"), "\(name)")
    }
    for event in NoticeEvent.allCases {
      #expect(page.contains("\n| `\(event.rawValue)` | "), "\(event)")
    }
  }

  @Test func `the script that is shown sends the message as mail`() throws {
    let shown = page.split(separator: "```sh\n").last?.split(separator: "```").first
    let script = String(try #require(shown))
    let path = try folder.write(
      script.replacing("curl", with: "\(folder.path)/curl"), to: "tell", mode: 0o755)
    try folder.write(
      "#!/bin/sh\n{ echo \"$@\"; cat; } >\(folder.path)/mail\n", to: "curl", mode: 0o755)

    let program = try run(
      "\"$PROGRAM\" notify --test",
      settings: "[notify]\ncommand = [\"\(path)\", \"night shift\"]")

    #expect(program.exitCode == 0, "\(program.output)")
    #expect(
      try TextFile.read("\(folder.path)/mail").contains(
        """
        --mail-rcpt oncall@example.org smtp://mail.example.org
        From: worker@example.org
        To: oncall@example.org
        Subject: [night shift] a test: messages of the worker arrive

        a test: messages of the worker arrive
        """))
  }
}
