import Glibc
import JobKit
import Ledger
import LocalTime
import Migrations
import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// Secrets with a mark on them are planted wherever secrets are; then everything that anybody can read of
/// the program is searched for the mark.
@Suite("No secret is told")
struct SecretsTests {
  private static let mark = "m4rker"

  private let server: PrivateServer
  private let folder: ScratchFolder
  private let port: Int

  init() throws {
    server = try PrivateServer(access: ["local all app_worker scram-sha-256"])
    folder = try ScratchFolder()
    port = try FreePort.find()
    let connection = try server.connect()
    try connection.run(script: "CREATE ROLE app_worker LOGIN PASSWORD '\(Self.mark)-password'")
    try ProgramSchemas.migrate(
      by: "test", at: LedgerClock.database.now(on: connection), on: connection)
    for schema in ProgramSchemas.all {
      try schema.grant(LedgerRoles(worker: "app_worker"), on: connection)
    }
    try plant(on: connection)
  }

  /// Learners whose names, devices and pushes bear the mark, and texts that do.
  private func plant(on connection: borrowing Connection) throws {
    try connection.run(
      """
      WITH learner AS (
        INSERT INTO learning.users (user_id, display_name, zone, locale, push_opt_in, quiet_from,
          quiet_to, created_at, changed_at)
        SELECT n, \(Self.mark + "-name"), 'UTC', 'en', true, 0, 0, now(), now()
        FROM generate_series(1, 5) AS n
        RETURNING user_id
      ), device AS (
        INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at)
        SELECT user_id, 1, 'apns', 'f00d-' || \(Self.mark + "-token"), now() FROM learner
      )
      INSERT INTO learning.notifications (user_id, local_day, state, kind, zone, window_from, window_to,
        due_at, template, planned_at)
      SELECT user_id, current_date, 'planned', 'reminder', 'UTC', now(), now() + interval '1 hour', now(),
        'basic', now() FROM learner
      """)
    try ChildProcess.run("/bin/mkdir", ["\(folder.path)/texts"])
    let english = try TextFile.read("Sources/Jobs/Push/Messages/en.toml")
      .replacing("twelve sentences", with: "\(Self.mark)-body")
    try folder.write(english, to: "texts/en.toml", mode: 0o644)
    let korean = try TextFile.read("Sources/Jobs/Push/Messages/ko.toml")
    try folder.write(korean, to: "texts/ko.toml", mode: 0o644)
    try folder.write("\(Self.mark)-password\n", to: "password")
    try folder.write("\(Self.mark)-wrong-password\n", to: "wrong")
  }

  private func settings(
    url: String? = nil, password: String = "password", more: String = ""
  ) throws -> String {
    try folder.write(
      """
      workers = 2
      [database]
      url = "\(url ?? server.url(user: "app_worker"))"
      password_file = "\(folder.path)/\(password)"
      \(more)
      [log]
      level = "debug"
      [push]
      log = "\(folder.path)/pushes"
      messages = "\(folder.path)/texts"
      [jobs.deliver_pushes]
      schedule = "* * * * * *"
      [http]
      listen = "127.0.0.1:\(port)"
      """, to: "worker.toml", mode: 0o644)
  }

  private func variables(_ more: [String: String] = [:]) throws -> [String: String] {
    [
      "WORKER_CONFIG": "\(folder.path)/worker.toml", "TZDIR": try TestEnvironment.zoneinfo,
      "USER": "ana", "PGPASSWORD": "\(Self.mark)-of-the-environment",
    ].merging(more) { _, more in more }
  }

  /// All that a command prints that has understood what it was asked, and had settings by which to do it.
  private func answered(_ words: [String]) throws -> String {
    let program = try Program(words: words, variables: variables())
    #expect(![64, 78].contains(program.exitCode), "\(words): \(program.errors)")
    return program.output + program.errors
  }

  /// Runs a command; returns all that it printed.
  private func printed(_ words: [String], _ more: [String: String] = [:]) throws -> String {
    let program = try Program(words: words, variables: variables(more))
    return program.output + program.errors
  }

  private func expectNoMark(in text: String, _ place: String) {
    guard let found = text.firstRange(of: Self.mark) else { return }
    let line = text[..<found.upperBound].split(separator: "\n").last ?? ""
    Issue.record("the mark stands in \(place): \(line)…")
  }

  @Test func `neither in what a daemon logs, nor in the ledger, nor in its processes`() throws {
    _ = try settings(more: telling)
    let daemon = try ChildProcess(
      "/usr/bin/env",
      ["-i"] + variables().map { "\($0)=\($1)" } + [try TestEnvironment.binary, "daemon"],
      output: "\(folder.path)/log")
    let connection = try server.connect()
    try eventually {
      try connection.run("SELECT count(*) FROM learning.notifications WHERE state = 'sent'")
        .only[0] == 5
    }
    daemon.send(SIGHUP)
    try eventually {
      try TextFile.read("\(folder.path)/log").contains("settings: nothing has changed")
    }
    try expectNoMarkOverHTTP()
    try expectNoMarkInWhatTells(on: connection)
    let arguments = try TextFile.read("/proc/\(daemon.id)/cmdline")
    let queries: [String] = try connection.run(
      "SELECT query FROM pg_stat_activity WHERE usename = 'app_worker'"
    ).map { try $0["query"] }
    daemon.send(SIGTERM)
    #expect(try daemon.status() == 0)

    expectNoMark(in: try TextFile.read("\(folder.path)/log"), "the log")
    expectNoMark(in: arguments, "the process list")
    expectNoMark(in: queries.joined(separator: "\n"), "pg_stat_activity")
    try expectNoMarkInLedger()
    let pushes = try TextFile.read("\(folder.path)/pushes")
    #expect(pushes.contains("\(Self.mark)-body"), "the text of a push stands where pushes go")
    #expect(!pushes.contains("\(Self.mark)-token"), "the address of a device does not")
  }

  /// A program that is told with, which writes down what it was started with and given to read.
  private var telling: String {
    let script = "cat /proc/$$/environ /proc/$$/cmdline - >\(folder.path)/told"
    return "[notify]\ncommand = [\"/bin/sh\", \"-c\", \"\(script)\"]"
  }

  private func expectNoMarkInWhatTells(on connection: borrowing Connection) throws {
    // Of a job that has no run meanwhile: what a later run fixed is not told.
    try connection.run(
      """
      INSERT INTO jobkit.notice (event, job, run, happened_at, not_before)
      SELECT 'failed', 'refresh_leaderboard', id, now(), now() FROM jobkit.run ORDER BY id LIMIT 1
      """)
    try eventually {
      (try? TextFile.read("\(folder.path)/told"))?.contains("\"title\"") == true
    }
    let told = try TextFile.read("\(folder.path)/told")
    #expect(told.contains("WORKER_TITLE="))
    expectNoMark(in: told, "the variables, arguments or input of a program that is told with")
  }

  private func expectNoMarkOverHTTP() throws {
    for path in ["/livez", "/readyz", "/health/schedule", "/metrics"] {
      let answer = try HttpCall.send(HttpCall.request(path), toPort: port)
      #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(path): \(answer)")
      expectNoMark(in: answer, path)
    }
  }

  private func expectNoMarkInLedger() throws {
    let connection = try server.connect()
    for table in SchemaRights.ledger.tables {
      let rows: [String] = try connection.run(
        "SELECT t::text AS row FROM jobkit.\(identifier: table) AS t"
      ).map { try $0["row"] }
      expectNoMark(in: rows.joined(separator: "\n"), "jobkit.\(table)")
    }
  }

  @Test func `not in anything that any command prints, for people or for machines`() throws {
    _ = try settings()
    let job = "schedule_daily_push"
    let words: [String: [String]] = [
      "run": ["refresh_leaderboard"], "show": ["1"], "why": [job, "--user", "1"],
      "forecast": [job], "pause": [job, "--reason", "a test"], "resume": [job], "cancel": ["1"],
      "retire": [job, "--dry-run"],
      "retry": ["1"], "approve": ["1"], "migrate": ["status"], "drain": ["--all"],
      "backfill": ["recommend_review", "--from", "2026-03-01", "--to", "2026-03-02"],
      "handover": ["--wait", "0s"], "next": [job], "check": ["--connect"],
      "push": ["devices", "--user", "1"], "alerts": ["--prometheus"], "completions": ["bash"],
      "simulate": ["--from", "2026-03-08", "--to", "2026-03-08T06:00:00Z"], "demo": ["data"],
    ]
    for command in Command.all where !["daemon", "import", "init"].contains(command.name) {
      let call = [command.name] + (words[command.name] ?? [])
      expectNoMark(in: try answered(call), "worker \(command.name)")
      guard command.options.contains(.json) else { continue }
      expectNoMark(in: try answered(call + ["--json"]), "worker \(command.name) --json")
    }
    expectNoMark(in: try printed(["run", "deliver_pushes", "--dry-run"]), "a dry run")
  }

  @Test(arguments: ["daemon", "jobs", "doctor", "check", "migrate"])
  func `not in what is said when the database lets nobody in`(command: String) throws {
    let words =
      command == "migrate"
      ? ["migrate", "status"] : command == "check" ? ["check", "--connect"] : [command]
    _ = try settings(password: "wrong")
    let wrong = try printed(words)
    let given =
      "postgresql://app_worker:\(Self.mark)-in-a-url@/postgres?host=\(server.socketFolder)"
    _ = try settings(url: given)
    let inURL = try printed(words)
    _ = try settings(more: "password = \"\(Self.mark)-in-the-settings\"")
    let inSettings = try printed(words)
    _ = try settings()
    let inVariable = try printed(words, ["WORKER_DATABASE_URL": given])

    #expect(wrong.contains("password authentication failed for user"))
    for said in [inURL, inVariable] { #expect(said.contains("holds a password")) }
    #expect(inSettings.contains("'database.password' may not stand here"))
    for said in [wrong, inURL, inSettings, inVariable] { expectNoMark(in: said, "\(words)") }
  }
}
