import Glibc
import Postgres
import TestSupport
import Testing

/// `[apps] learning = false`: the runner for those who have no such app.
@Suite("Without the learning app")
struct WithoutLearningTests {
  private let database: TestDatabase
  private let folder: ScratchFolder
  private let variables: [String: String]

  init() throws {
    (database, folder) = (try TestDatabase(), try ScratchFolder())
    let settings = """
      [database]
      url = "\(database.url)"
      [http]
      listen = "unix:\(folder.path)/http.sock"
      [apps]
      learning = false
      [jobs.expire]
      kind = "delete"
      table = "public.session"
      key = "id"
      where = "ended_at < :moment - interval '30 days'"
      schedule = "30 3 * * *"
      most = 1000
      """
    let file = try folder.write(settings, to: "worker.toml", mode: 0o644)
    variables = ["WORKER_CONFIG": file, "TZDIR": try TestEnvironment.zoneinfo, "USER": "ana"]
    try database.connect().run(
      script: """
        CREATE TABLE session (id bigint PRIMARY KEY, ended_at timestamptz NOT NULL);
        INSERT INTO session SELECT n, clock_timestamp() - n * interval '1 day'
        FROM generate_series(1, 100) AS n;
        """)
  }

  private func worker(_ words: String...) throws -> Program {
    let program = try Program(words: words, variables: variables)
    expectNoLearner(program.output + program.errors, of: words.joined(separator: " "))
    return program
  }

  /// The one line that may name the app is the setting that switches it off.
  private func expectNoLearner(_ text: String, of what: String) {
    let lines = text.lowercased().split(separator: "\n").filter {
      $0.contains("learn") && !$0.hasPrefix("apps.learning")
    }
    #expect(lines.isEmpty, "\(what) says: \(lines.joined(separator: "\n"))")
  }

  @Test func `every command works on an empty database, and none knows a learner`() throws {
    #expect(try worker("check").exitCode == 0)
    #expect(try worker("migrate", "status").exitCode == 75)
    #expect(try worker("migrate", "up").exitCode == 0)
    #expect(try worker("check", "--connect").exitCode == 0)
    #expect(try worker("run", "expire", "--dry-run").output.contains("would delete 71 rows"))
    #expect(try worker("run", "expire").exitCode == 0)
    #expect(try worker("why", "expire").exitCode == 0)
    #expect(try worker("why", "expire", "--key", "3").output.contains("would leave the row"))
    for words in [
      ["jobs"], ["ps"], ["runs"], ["show", "1"], ["report"], ["report", "--json"],
      ["report", "--markdown"], ["audit"], ["next"], ["alerts"], ["daemons"],
      ["completions", "bash"], ["manual"], ["notify", "--help"], ["jobs", "--json"],
      ["simulate", "--from", "2026-03-08", "--to", "2026-03-09", "--json"],
    ] {
      let program = try Program(words: words, variables: variables)
      expectNoLearner(program.output + program.errors, of: words.joined(separator: " "))
      #expect(program.exitCode == 0, "\(words): \(program.errors) \(program.output)")
    }
    // What it says of the server of the tests is none of this test's business.
    _ = try worker("doctor")
    #expect(
      try database.connect().run("SELECT count(*) FROM session").only[0] == 29)
    #expect(
      try database.connect().run(
        "SELECT count(*) FROM pg_namespace WHERE nspname = 'learning'"
      ).only[0] == 0)
  }

  @Test func `the help shows none of the app's commands, options and examples`() throws {
    let overview = try worker("help").output
    #expect(!overview.contains("forecast") && !overview.contains("\n  push "))
    for line in overview.split(separator: "\n") where line.hasPrefix("  ") {
      let name = line.split(separator: " ").first.map(String.init) ?? ""
      guard name.allSatisfy({ $0.isLowercase }), !name.isEmpty else { continue }
      let page = try worker("help", name)
      #expect(page.exitCode == 0 && !page.output.contains("deliver_pushes"), "\(name)")
    }
    #expect(try !worker("check").output.contains("push"))
  }

  @Test func `a command of the app says that the app is off`() throws {
    let program = try Program("push", "devices", "--user", "3", variables: variables)

    #expect(program.exitCode == 64)
    #expect(
      program.errors.contains(
        "'push' is a command of the app 'learning', which is off:"
          + " 'learning = true' below [apps] of the settings switches it on"))
  }

  @Test func `a daemon runs, is well, and shows no figure of the app`() throws {
    #expect(try worker("migrate", "up").exitCode == 0)
    let log = "\(folder.path)/daemon.log"
    let daemon = try ChildProcess(
      "/usr/bin/env",
      ["-i"] + variables.map { "\($0)=\($1)" } + [try TestEnvironment.binary, "daemon"],
      output: log)
    try eventually { try Program("health", variables: variables).exitCode == 0 }

    let metrics = try Program(
      shell: "curl -s --unix-socket '\(folder.path)/http.sock' http://x/metrics",
      variables: variables.merging(["PATH": "/usr/bin:/bin"]) { one, _ in one }
    ).output
    #expect(metrics.contains("worker_job"))
    expectNoLearner(metrics, of: "metrics")
    #expect(!metrics.contains("worker_push"))
    _ = try worker("health")
    _ = try worker("doctor")
    daemon.send(SIGTERM)
    try daemon.status()
    expectNoLearner(try TextFile.read(log), of: "the log")
  }
}
