import Glibc
import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// What machines are given, of every command that says it.
@Suite("With --json")
struct JSONOutputTests {
  /// How each command is called; one that is missing here fails the test.
  private static let calls: [String: [[String]]] = [
    "run": [
      ["deliver_pushes"], ["deliver_pushes", "--dry-run"], ["refresh_leaderboard"],
    ],
    "jobs": [[]], "ps": [[]], "daemons": [[]], "runs": [[]], "show": [["1"]],
    "why": [["deliver_pushes"], ["schedule_daily_push", "--user", "1"]],
    "forecast": [["schedule_daily_push"]], "report": [[]], "audit": [[]],
    "notify": [[]], "pause": [["settle_rewards", "--reason", "a\u{202E}b\u{1B}c"]],
    "resume": [["settle_rewards"]], "cancel": [["2"]], "retry": [["2"]], "approve": [["2"]],
    "backfill": [
      ["detect_streak_breaks", "--from", "2026-03-01", "--to", "2026-03-02", "--dry-run"]
    ],
    "retire": [["settle_rewards", "--dry-run"]], "drain": [["--all"]], "handover": [["--dry-run"]],
    "migrate": [["status"], ["up"], ["up", "--dry-run"]], "health": [[]],
    "check": [[], ["--connect"]],
    "doctor": [[]], "next": [["deliver_pushes", "--count", "2"]],
    "simulate": [["--from", "2026-03-08T06:00:00Z", "--to", "2026-03-08T06:10:00Z"]],
    "demo": [["data", "--learners", "2", "--days", "2", "--until", "2026-03-01"]],
    "push": [["devices", "--user", "1"], ["test", "--device", "a1b2"], ["providers"]],
    "manual": [[]],
    "version": [[]],
  ]

  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase.migrated()
    folder = try ScratchFolder()
    try folder.write(
      "[database]\nurl = \"\(database.url)\"\n[log]\nformat = \"json\"\n"
        + "[jobs.deliver_pushes]\nevery = \"1s\"\n", to: "worker.toml",
      mode: 0o644)
    try database.connect().run(
      """
      WITH learner AS (
        INSERT INTO learning.users (user_id, display_name, zone, push_opt_in, quiet_from, quiet_to,
          created_at, changed_at)
        SELECT n, 'Name-of-' || n, 'UTC', true, 0, 0, now(), now() FROM generate_series(1, 3) AS n
        RETURNING user_id
      ), device AS (
        INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at)
        SELECT user_id, 1, 'apns', 'token', now() FROM learner
      )
      INSERT INTO learning.notifications (user_id, local_day, state, kind, zone, window_from, window_to,
        due_at, template, planned_at)
      SELECT user_id, current_date, 'planned', 'reminder', 'UTC', now(), now() + interval '1 hour', now(),
        'basic', now() FROM learner
      """)
  }

  private func worker(_ words: [String]) throws -> Program {
    try Program(
      words: words,
      variables: [
        "WORKER_CONFIG": "\(folder.path)/worker.toml", "TZDIR": TestEnvironment.zoneinfo,
        "USER": "ana",
      ])
  }

  /// Whether a text is one value of JSON and nothing else, by somebody else's reader.
  private func isJSON(_ text: String) throws -> Bool {
    (try? database.connect().run("SELECT (\(text)::text)::json IS NOT NULL")) != nil
  }

  @Test func `every command prints one value, or nothing when it is refused`() throws {
    for command in Command.all where command.options.contains(.json) {
      let calls = try #require(Self.calls[command.name], "no call of \(command.name)")
      for words in calls {
        let program = try worker([command.name] + words + ["--json"])

        #expect(program.exitCode != 64, "\(command.name) \(words): \(program.errors)")
        let isWhole = try program.output.isEmpty || isJSON(program.output)
        #expect(isWhole, "\(command.name) \(words): \(program.output)")
        let isRefused = [65, 69, 70, 75, 77, 78].contains(program.exitCode)
        #expect(isRefused || !program.output.isEmpty, "\(command.name): \(program.errors)")
      }
    }
  }

  @Test func `pushes stand in the log, in its format, and show nothing that a learner would see`()
    throws
  {
    let run = try worker(["run", "deliver_pushes", "--json"])

    let pushes = run.errors.split(separator: "\n").filter { $0.contains("\"msg\":\"push\"") }
    #expect(pushes.count == 3, "\(run.errors)")
    for push in pushes { #expect(try isJSON(String(push))) }
    #expect(try isJSON(run.output))
    #expect(!(run.output + run.errors).contains("Name-of-"))
    #expect(run.exitCode == 0)
  }

  @Test func `a daemon's own streams are JSON, a line each, and show nothing of a learner`() throws
  {
    let log = "\(folder.path)/log"
    let daemon = try ChildProcess(
      "/usr/bin/env",
      [
        "-i", "WORKER_CONFIG=\(folder.path)/worker.toml", "TZDIR=\(TestEnvironment.zoneinfo)",
        TestEnvironment.debugBinary, "daemon",
      ], output: log)
    let connection = try database.connect()
    try eventually {
      try connection.run(
        "SELECT count(*) FROM jobkit.run WHERE job = 'deliver_pushes' AND state = 'succeeded'"
      ).only[0, as: Int.self] > 0
    }
    daemon.send(SIGTERM)
    #expect(try daemon.status() == 0)

    let lines = try TextFile.read(log).split(separator: "\n").map(String.init)
    for line in lines { #expect(try isJSON(line), "\(line)") }
    #expect(lines.count { $0.contains("\"msg\":\"push\"") } == 3, "\(lines)")
    #expect(!lines.contains { $0.contains("Name-of-") })
  }

  @Test func `what somebody wrote is no command to the terminal that shows it`() throws {
    let pause = try worker(["pause", "settle_rewards", "--reason", "a\u{1B}[2J\u{202E}b"])

    #expect(pause.output.hasSuffix(": a\\u{1B}[2J\\u{202E}b\n"), "\(pause.output)")
  }
}
