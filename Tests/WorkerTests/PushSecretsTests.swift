import Glibc
import JobKit
import Ledger
import LocalTime
import Migrations
import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// A daemon that sends pushes by all three providers; then everything that anybody can read of it is searched for its
/// keys, and for the tokens that it made of them.
@Suite("No key of a provider is told")
struct PushSecretsTests {
  private let database: TestDatabase
  private let folder: ScratchFolder
  private let port: Int

  init() throws {
    database = try TestDatabase.migrated()
    folder = try ScratchFolder()
    port = try FreePort.find()
  }

  /// A learner for each provider, to whom it is neither late nor the end of the day.
  private func plant(_ scene: PushScene) throws {
    let devices = [
      ("apns", "a1b2"), ("fcm", "m4rker:APA91b"),
      ("webhook", scene.webhook("/200/x-mark/m4rker")),
    ]
    try database.connect().run(
      """
      WITH place AS (
        SELECT CASE WHEN extract(hour FROM now() AT TIME ZONE 'UTC') < 12 THEN 'UTC' ELSE 'Pacific/Honolulu' END
          AS zone
      ), learner AS (
        INSERT INTO learning.users (user_id, display_name, zone, locale, push_opt_in, quiet_from, quiet_to,
          created_at, changed_at)
        SELECT n, 'Ana', zone, 'en', true, 0, 0, now(), now() FROM generate_series(1, 3) AS n, place
        RETURNING user_id
      ), device AS (
        INSERT INTO learning.devices (user_id, device_id, provider, token, registered_at)
        SELECT user_id, 1, provider, token, now()
        FROM learner JOIN unnest(\(devices.map(\.0)), \(devices.map(\.1))) WITH ORDINALITY
          AS device (provider, token, n) ON n = user_id
      )
      INSERT INTO learning.notifications (user_id, local_day, state, kind, zone, window_from, window_to,
        due_at, template, planned_at)
      SELECT user_id, (now() AT TIME ZONE zone)::date, 'planned', 'reminder', zone, now(),
        now() + interval '1 hour', now(), 'basic', now() FROM learner, place
      """)
  }

  private func start(_ scene: PushScene) throws -> ChildProcess {
    let file = try folder.write(
      """
      [database]
      url = "\(database.url)"
      [log]
      level = "debug"
      [jobs.deliver_pushes]
      schedule = "* * * * * *"
      [http]
      listen = "127.0.0.1:\(port)"
      \(scene.settings)
      """, to: "worker.toml", mode: 0o644)
    return try ChildProcess(
      "/usr/bin/env",
      [
        "-i", "WORKER_CONFIG=\(file)", "TZDIR=\(TestEnvironment.zoneinfo)",
        "STATE_DIRECTORY=\(folder.path)", try TestEnvironment.binary, "daemon",
      ], output: "\(folder.path)/log")
  }

  @Test(arguments: ["none", "503-after"])
  func `neither by a daemon whose pushes are taken, nor where they are refused`(
    fault: String
  ) throws {
    let scene = try PushScene(fault: fault)
    try plant(scene)
    let daemon = try start(scene)
    let connection = try database.connect()
    try eventually {
      try connection.run(
        "SELECT count(*) FROM learning.notifications WHERE state <> 'planned' OR tries > 0"
      ).only[0] == 3
    }
    let metrics = try HttpCall.send(HttpCall.request("/metrics"), toPort: port)
    let arguments = try TextFile.read("/proc/\(daemon.id)/cmdline")
    daemon.send(SIGTERM)
    #expect(try daemon.status() == 0)

    let seen = try scene.seen()
    let minted = seen.matches(of: /"bearer (ey[^"]+)"/).map { String($0.output.1) }
    #expect(minted.count == 1, "\(seen)")
    let log = try TextFile.read("\(folder.path)/log")
    #expect(log.contains("deliver_pushes"))
    let told = [
      ("the log", log), ("metrics", metrics), ("the process list", arguments),
      ("the database", try rows()),
    ]
    for secret in try scene.secrets + minted {
      for (place, text) in told { #expect(!text.contains(secret), "\(place): \(secret)") }
    }
    try ChildProcess.run(
      "/bin/sh",
      ["-c", "test $(stat -c %a \(folder.path)/TEAM123456-KEY1234567.apple-token) = 600"])
  }

  /// Every row of the ledger, of pushes and of what became of them.
  private func rows() throws -> String {
    let connection = try database.connect()
    var rows: [String] = []
    for table in SchemaRights.ledger.tables {
      rows += try connection.run(
        "SELECT t::text AS row FROM jobkit.\(identifier: table) AS t"
      ).map { try $0["row"] }
    }
    for table in ["notifications", "notification_events"] {
      rows += try connection.run(
        "SELECT t::text AS row FROM learning.\(identifier: table) AS t"
      ).map { try $0["row"] }
    }
    return rows.joined(separator: "\n")
  }

  @Test(arguments: [["check"], ["check", "--json"], ["doctor", "--only", "push", "--reach"]])
  func `nor by what looks at the settings`(words: [String]) throws {
    let scene = try PushScene()
    let file = try folder.write(
      "[database]\nurl = \"\(database.url)\"\n\(scene.settings)", to: "worker.toml", mode: 0o644)

    let program = try Program(
      words: words, variables: ["WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo])

    #expect(program.exitCode == 0, "\(program.errors)")
    for secret in try scene.secrets {
      #expect(!(program.output + program.errors).contains(secret), "\(secret)")
    }
  }
}
