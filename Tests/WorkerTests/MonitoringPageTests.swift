internal import TestSupport
internal import Testing

/// docs/monitoring.md, held against the program.
@Suite("The page about monitoring")
struct MonitoringPageTests {
  private let blocks: [String]

  init() throws {
    blocks = try TextFile.read("docs/monitoring.md").split(separator: "\n")
      .filter { $0.hasPrefix("    ") && !$0.hasPrefix("     ") }.map { String($0.dropFirst(4)) }
  }

  @Test func `every command runs beside a daemon with the settings that are shown`() throws {
    let settings = blocks.filter { $0.hasPrefix("[") || $0.contains(" = ") }
    let commands = blocks.filter { $0.hasPrefix("worker ") }
    let daemon = try MonitoredDaemon()
    try eventually { try daemon.status("/health/schedule") == 200 }

    #expect(settings == ["[http]", "listen = \"127.0.0.1:9464\""])
    #expect(commands.count == 4)
    for line in commands {
      let words = line.split(separator: " ").dropFirst().map(String.init)
      let program = try daemon.rehearsal.program(words: words)
      #expect(program.exitCode == 0, "\(line): \(program.output)\(program.errors)")
    }
  }

  @Test func `the settings that are shown are accepted`() throws {
    let folder = try ScratchFolder()
    let settings = blocks.filter { $0.hasPrefix("[") || $0.contains(" = ") }
    let file = try folder.write(settings.joined(separator: "\n"), to: "worker.toml", mode: 0o644)

    let check = try Program(
      "check", "--config", file, variables: ["TZDIR": TestEnvironment.zoneinfo])

    #expect(check.exitCode == 0, "\(check.errors)")
  }
}
