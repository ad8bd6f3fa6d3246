import Postgres
import TestSupport
import Testing

/// What docs/requests.md shows works as it stands.
@Suite("Documentation of requests")
struct RequestDocumentationTests {
  private let server: PrivateServer
  private let folder: ScratchFolder
  private let page: String

  init() throws {
    (server, folder) = (try PrivateServer(), try ScratchFolder())
    page = try TextFile.read("docs/requests.md")
    try server.connect().run(
      script: """
        CREATE ROLE app LOGIN; CREATE TABLE invoice (id bigint, learner bigint);
        GRANT INSERT ON invoice TO app;
        """)
  }

  private func run(_ script: String) throws -> Program {
    try Program(
      shell: script,
      variables: [
        "TZDIR": TestEnvironment.zoneinfo, "WORKER_CONFIG": folder.path + "/worker.toml",
        "LOG": folder.path + "/log", "PATH": "/usr/bin:/bin",
      ])
  }

  @Test func `what docs-requests shows runs, from the settings to why a run waits`() throws {
    let settings = try #require(blocks(in: "toml").first)
    try folder.write(
      "\(settings)url = \"\(server.url())\"\n[push]\nlog = \"\(folder.path)/pushes\"\n",
      to: "worker.toml", mode: 0o644)
    try #require(try run("\"$PROGRAM\" migrate up").exitCode == 0)
    try #require(try run(Self.startAndEnd).exitCode == 0)

    let app = try Connection(to: Server(server.url(user: "app")))
    for block in blocks(in: "sql") { try app.run(script: block) }
    let commands = page.split(separator: "\n").filter { $0.hasPrefix("    worker ") }
    let shown = try commands.map { try run("\"$PROGRAM\"\($0.dropFirst("    worker".count))") }

    #expect(shown.map(\.exitCode) == [0, 0])
    #expect(shown.first?.output.contains(/recommend_review .* request, full=true +app/) == true)
    // The daemon may have entered ticks of its own before it ended, whose runs took numbers.
    let said = try #require(shown.last?.output)
    #expect(said.contains(#/app has asked for 1 run that waits: run \d+ with full=true, /#))
    let waits = "key 'invoice-17' waits for a daemon to make it due, or for the end of a pause or a"
    #expect(said.contains("\(waits) block\n"), "\(shown)")
  }

  /// Starts a daemon, waits until it has told which jobs there are, and ends it.
  private static let startAndEnd = """
    "$PROGRAM" daemon 2>"$LOG" & \
    until grep -qs ready "$LOG"; do kill -0 $! || exit 1; done; kill -TERM $!; wait $!
    """

  private func blocks(in language: String) -> [String] {
    page.split(separator: "```\(language)\n").dropFirst().compactMap { rest in
      rest.split(separator: "```").first.map(String.init)
    }
  }
}
