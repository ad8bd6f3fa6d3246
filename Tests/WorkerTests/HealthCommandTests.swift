internal import Glibc
internal import Postgres
internal import TestSupport
internal import Testing

/// `worker health`, as a probe runs it.
@Suite("worker health")
struct HealthCommandTests {
  @Test func `it asks the daemon where it answers, and ends with 0 while all is well`() throws {
    let daemon = try MonitoredDaemon()
    try eventually { try daemon.status("/health/schedule") == 200 }

    let health = try daemon.rehearsal.program("health")
    let json = try daemon.rehearsal.program("health", "--json", "--only", "ready")

    #expect(health.output == "live      ok\nready     ok\nschedule  ok\n")
    #expect(health.exitCode == 0)
    #expect(
      json.output.hasPrefix("{\n  \"healthy\": true,\n  \"asked\": \"127.0.0.1:\(daemon.port)\",\n")
    )
    #expect(json.output.contains("  \"ready\": {\"healthy\":true,\"as_of\":\"20"))
    #expect(!json.output.contains("live"))
  }

  @Test func `a daemon of another database at the same address is no answer`() throws {
    let daemon = try MonitoredDaemon()
    let other = try Rehearsal()
    try other.set("[http]\nlisten = \"127.0.0.1:\(daemon.port)\"\n")
    try eventually { try daemon.status("/health/schedule") == 200 }

    let health = try other.program("health")
    let json = try other.program("health", "--json", "--only", "ready")

    let problem =
      #/the daemon \S+:\d+:\w+ answers at 127\.0\.0\.1:\d+, and the ledger of these settings does not know it: /#
    #expect(health.output.hasPrefix("live      ok\nready     the daemon "), "\(health.output)")
    #expect(health.output.matches(of: problem).count == 2)
    #expect(health.exitCode == 1 && json.exitCode == 1)
    #expect(json.output.contains(#""problem":"other_database""#))
  }

  @Test func `where the database cannot be asked, the daemon that answers is named`() throws {
    let daemon = try MonitoredDaemon()
    try eventually { try daemon.status("/health/schedule") == 200 }
    try daemon.rehearsal.write(
      settings: """
        [database]
        url = "host=/nowhere dbname=none"
        [http]
        listen = "127.0.0.1:\(daemon.port)"

        """)

    let health = try daemon.rehearsal.program("health", "--only", "ready")
    let live = try daemon.rehearsal.program("health", "--only", "live")

    #expect(health.output == "ready     ok\n" && health.exitCode == 0)
    #expect(
      health.errors.contains(#/note: the daemon that answers at \S+ is \S+:\d+:\w+: whether it /#))
    #expect(live.output == "live      ok\n" && live.errors == "")
  }

  @Test func `a daemon that does not answer is not alive, and the database tells of the schedule`()
    throws
  {
    let daemon = try MonitoredDaemon()
    daemon.process.send(SIGTERM)
    try daemon.process.status()

    let health = try daemon.rehearsal.program("health")

    let silent = "no daemon answers at 127.0.0.1:\(daemon.port): connection refused"
    #expect(
      health.output.replacing(#/since (20\S+ )?[0-9:]{5,8} \(UTC\)/#, with: "since SINCE") == """
        live      \(silent)
        ready     \(silent)
        schedule  no daemon since SINCE: nothing is decided and nothing runs

        """)
    #expect(health.exitCode == 1)
  }

  @Test func `a daemon that hangs is not waited for`() throws {
    let daemon = try MonitoredDaemon()
    daemon.process.send(SIGSTOP)

    let health = try daemon.rehearsal.program("health", "--only", "live")
    daemon.process.send(SIGCONT)

    #expect(
      health.output
        == "live      no daemon answers at 127.0.0.1:\(daemon.port): it takes too long\n")
    #expect(health.exitCode == 1)
  }

  @Test func `without an address the database is asked for all of it`() throws {
    let rehearsal = try Rehearsal()
    let before = try rehearsal.program("health", "--json")
    let daemon = try rehearsal.daemon()
    try rehearsal.wait(for: 1, of: "SELECT count(*) FROM jobkit.run WHERE state = 'succeeded'")
    let during = try rehearsal.program("health")
    try rehearsal.run("UPDATE jobkit.job SET decided_until = now() - interval '1 hour'")
    daemon.send(SIGKILL)
    try daemon.status()
    let after = try rehearsal.program("health", "--only", "schedule")

    #expect(before.exitCode == 1)
    #expect(before.output.contains("\"asked\": \"database\""))
    #expect(before.output.contains("\"problem\":\"no_daemon\""))
    #expect(during.output == "live      ok\nready     ok\nschedule  ok\n")
    #expect(during.exitCode == 0)
    #expect(after.output.hasPrefix("schedule  no daemon "), "\(after.output)")
    #expect(after.exitCode == 1)
  }

  @Test(arguments: [
    ("NULL, false", "no decision pass is complete yet", 1), ("now(), false", "ok", 0),
    ("now(), true", "it ends what runs and begins nothing new", 1),
  ])
  func `without an address, too, a daemon is ready from its first decision until its drain`(
    daemon: String, answer: String, exitCode: Int32
  ) throws {
    let rehearsal = try Rehearsal()
    try rehearsal.run(
      """
      INSERT INTO jobkit.daemon
        (name, host, process, version, settings_hash, jobs, started_at, seen_at, ready_at, draining)
      VALUES ('db1:1:a', 'db1', 1, '1', 'aa', '{}', now(), now(), \(verbatim: daemon))
      """)

    let health = try rehearsal.program("health", "--only", "ready")

    #expect(health.output == "ready     \(answer)\n")
    #expect(health.exitCode == exitCode)
  }

  @Test(arguments: ["", "[http]\nlisten = \"127.0.0.1:1\"\n"])
  func `a database that is away is an answer too, and ends with 1`(http: String) throws {
    let folder = try ScratchFolder()
    let settings = try folder.write(
      "[database]\nurl = \"host=\(folder.path) dbname=none\"\n\(http)", to: "worker.toml",
      mode: 0o644)

    let health = try Program(
      "health", "--config", settings, "--json", variables: ["TZDIR": TestEnvironment.zoneinfo])

    #expect(health.output.contains("\"healthy\": false"))
    #expect(
      health.output.contains(
        #/"schedule": .*"problem":"unasked".*the ledger cannot be read: /#), "\(health.output)")
    #expect(health.errors == "" && health.exitCode == 1)
  }

  @Test func `a job whose runs all fail is a problem`() throws {
    let rehearsal = try Rehearsal()
    try rehearsal.run(
      """
      INSERT INTO jobkit.daemon
        (name, host, process, version, settings_hash, jobs, started_at, seen_at, ready_at)
      VALUES ('db1:1:a', 'db1', 1, '1', 'aa', '{rehearse}', now(), now(), now())
      """)
    try rehearsal.run(
      "INSERT INTO jobkit.job (name, known_since, decided_until) VALUES ('rehearse', now(), now())")
    try rehearsal.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts_left, decided_at, decided_by,
        started_at, finished_at)
      SELECT 'rehearse', moment, 'schedule', 'failed', 0, moment, 'test', moment, moment
      FROM generate_series(1, 3) AS n, LATERAL (SELECT now() - n * interval '1 s') AS at (moment)
      """)

    try rehearsal.set("[time]\nzone = \"Asia/Seoul\"")

    let health = try rehearsal.program("health")
    let json = try rehearsal.program("health", "--json")

    let since =
      #/ok\nschedule  rehearse: its last 3 runs failed, since (20\S+ )?[0-9:]{5,8} \(\+09:00\): /#
    #expect(health.output.contains(since), "\(health.output)")
    #expect(health.output.contains(#/: .*; 'worker show \d' tells more\n/#))
    #expect(health.exitCode == 1)
    #expect(json.output.contains(#/3 runs failed, since 20\S+Z: /#))
  }

  @Test(arguments: ["listen = \"127.0.0.1:PORT\" # of this host\n", ""])
  func `a daemon is asked whatever became of its settings file`(listen: String) throws {
    let daemon = try MonitoredDaemon()
    let line = listen.replacing("PORT", with: "\(daemon.port)")
    try daemon.rehearsal.write(settings: "[http]\n\(line)nosuch = 1\n")
    let words = ["health", "--only", "live"]

    let health = try daemon.rehearsal.program(
      words: words + (listen.isEmpty ? ["--address", "127.0.0.1:\(daemon.port)"] : []))
    let json = try daemon.rehearsal.program(
      words: ["health", "--json", "--address", "127.0.0.1:\(daemon.port)"])

    #expect(health.output == "live      ok\n")
    #expect(health.exitCode == 0)
    #expect(
      health.errors.contains("unknown setting")
        && health.errors.contains(
          "; a daemon that runs goes on with the settings that it has\n"),
      "\(health.errors)")
    #expect(json.output.contains("\"warnings\": [\"") && json.output.contains("nosuch"))
  }

  @Test(arguments: ["[http", "[htpp]", "[http]]"])
  func `a daemon is asked where even the heading of its address is mistyped`(heading: String) throws
  {
    let daemon = try MonitoredDaemon()
    try daemon.rehearsal.write(
      settings: "\(heading)\nlisten = \"127.0.0.1:\(daemon.port)\"\n[log]\nlevel = \"info\"\n")

    let health = try daemon.rehearsal.program("health", "--only", "live")

    #expect(health.output == "live      ok\n")
    #expect(health.exitCode == 0)
    #expect(health.errors.contains("; a daemon that runs goes on with the settings that it has\n"))
  }

  @Test func `where nothing names an address, wrong settings are refused as always`() throws {
    let rehearsal = try Rehearsal()
    try rehearsal.write(settings: "[http]\nnosuch = 1\n")

    let health = try rehearsal.program("health")
    let refused = try rehearsal.program("health", "--address", "nowhere")

    #expect(health.exitCode == 78 && health.output == "")
    #expect(refused.exitCode == 64)
    #expect(refused.errors.contains("write 127.0.0.1:PORT, [::1]:PORT or unix:/PATH"))
  }

  @Test func `what cannot be asked about is refused`() throws {
    let health = try Rehearsal().program("health", "--only", "life")

    #expect(
      health.errors
        == "worker: '--only life': write live, ready or schedule; 'worker health --help'"
        + " shows what can be written\n")
    #expect(health.exitCode == 64)
  }
}
