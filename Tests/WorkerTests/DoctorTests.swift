import JobKit
import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// The doctor as an operator meets it: the whole report, its order and its end.
@Suite("worker doctor")
struct DoctorTests {
  private let practice: Practice

  init() throws { practice = try Practice() }

  @Test func `without a database it says so first, and looks at what needs none`() throws {
    let program = try practice.doctor(at: "host=\(practice.folder.path)")

    let lines = program.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("problem  database: cannot reach Postgres at "))
    #expect(lines[1] == "         why: everything that the worker promises is a row there")
    #expect(lines[2] == "         do: see to the database first, then ask again")
    let unseen = Doctor.databaseChecks.map(\.name).filter { $0 != "database" && $0 != "push" }
    #expect(
      lines.filter { $0.contains("not looked at") } == [
        "note     database: not looked at without it: \(unseen.joined(separator: ", "))"
      ])
    #expect(program.output.contains(/\nok +password: no password file is set:/))
    #expect(lines.last?.hasPrefix("1 problem, ") == true)
    #expect(program.errors.isEmpty && program.exitCode == 1)
  }

  @Test func `without a database each name is of what is shown or of what is not looked at`()
    throws
  {
    let providers = "[push]\ntransport = \"providers\""

    let reports = try ["", providers].map {
      try practice.doctor(at: "host=\(practice.folder.path)", settings: $0).output
    }

    for report in reports {
      let lines = report.split(separator: "\n")
      let shown = lines.compactMap { line in
        line.firstMatch(of: #/^(?:problem|warning|note|ok) +(\w+): /#)?.output.1
      }
      let unseen = lines.flatMap { line in
        (line.split(separator: "not looked at without it: ").dropFirst().first ?? "")
          .split(separator: ", ")
      }
      #expect(shown.contains("push") && unseen.contains("schema"), "\(report)")
      #expect(Set(shown).isDisjoint(with: unseen), "\(report)")
    }
    #expect(!reports[0].contains("devices") && reports[1].contains(", learners' devices\n"))
  }

  @Test func `settings that cannot be read hide nothing but what needs them`() throws {
    let program = try practice.doctor(at: "host=/nowhere", settings: "evry = 1")

    let file = "\(practice.folder.path)/worker.toml"
    #expect(
      program.output.hasPrefix(
        "problem  configuration: \(file):3:1: unknown setting 'database.evry': "))
    #expect(
      program.output.contains(
        "\nnote     configuration: not looked at without it: password, tzdata, unit, disk, push, database, "
      ))
    #expect(program.exitCode == 1)
  }

  @Test func `every check has its line, and JSON has the same`() throws {
    let database = try TestDatabase()

    let text = try practice.doctor(at: database.url)
    let json = try practice.doctor(at: database.url, "--json")

    // On a schema that is behind these cannot be made, which is told in one line.
    let unmade = ["daemons", "jobs", "tables", "failures"]
    let note = "not looked at without it: \(unmade.joined(separator: ", "))"
    #expect(text.output.contains("note     schema: \(note)\n") && json.output.contains(note))
    for name in Doctor.names where !unmade.contains(name) {
      #expect(text.output.contains(" \(name): "), "\(name)")
      #expect(json.output.contains("\"check\": \"\(name)\""), "\(name)")
    }
    #expect(text.output.contains(" 1 migration of the schema 'jobkit' missing: jobkit 1"))
    #expect(json.output.hasPrefix("{\n  \"ok\": false,\n  \"findings\": ["))
    #expect(json.output.contains("\"do\": \"run 'worker migrate up' as the owner of the schema\""))
    #expect(text.exitCode == 1 && json.exitCode == 1)
  }

  @Test func `the demonstration's own database is no reason to worry, and any other is`() throws {
    let server = try PrivateServer(settings: ["synchronous_commit": "off"])
    let connection = try server.connect()
    try ProgramSchemas.migrate(
      by: "test", at: LedgerClock.database.now(on: connection), on: connection)
    try connection.run(
      script: """
        INSERT INTO jobkit.job (name, known_since, decided_until) VALUES ('sample', now(), now());
        INSERT INTO jobkit.schedule (job, since, schedule) VALUES ('sample', now(), 'every 60s');
        """)
    let words = ["--only", "role", "--only", "durability", "--only", "daemons"]
    let alarmed = try practice.doctor(at: server.url(), words)

    try connection.run("COMMENT ON DATABASE postgres IS 'made by script/demo: nothing to miss'")
    let calm = try practice.doctor(at: server.url(), words)

    #expect(alarmed.output.hasSuffix("\n\n3 problems, 2 warnings, 0 notes, 0 ok\n"))
    #expect(alarmed.exitCode == 1)
    #expect(calm.output.hasSuffix("\n\n0 problems, 0 warnings, 5 notes, 0 ok\n"))
    #expect(
      calm.output.contains(
        """
        note     daemons: no daemon is alive: nothing is decided or run
                 why: script/demo has simulated the day that is in this database
                 do: 'worker daemon' goes on with it from now on

        """))
    #expect(calm.exitCode == 0)
  }

  @Test func `each finding has its own reason, and not that of its check`() throws {
    let database = try TestDatabase.migrated()
    try database.connect().run(
      """
      INSERT INTO jobkit.daemon (name, host, process, version, settings_hash, jobs, started_at, seen_at)
      VALUES ('db4:1:d', 'db4', 1, '0', 'bb', '{}', now(), now() - interval '2 min')
      """)

    let program = try practice.doctor(at: database.url, "--only", "daemons")

    #expect(
      program.output.split(separator: "\n").filter { $0.contains("why: ") } == [
        "         why: ticks pass; the first daemon that starts decides them, and misses those it is too"
          + " late for",
        "         why: what it worked at waits until its leases end: that is 15 s, and nothing is lost",
      ])
  }

  @Test func `script/demo says in its database what the doctor knows it by`() throws {
    #expect(try TextFile.read("script/demo").contains("'made by script/demo: "))
  }

  @Test func `one check can be made alone, and one that does not exist is refused`() throws {
    let database = try TestDatabase()

    let clock = try practice.doctor(at: database.url, "--only", "clock")
    let wrong = try practice.doctor(at: database.url, "--only", "clok")

    #expect(
      clock.output.contains(/^ok +clock: this host's clock is .* the database's, give or take \d/))
    #expect(clock.output.hasSuffix("\n\n0 problems, 0 warnings, 0 notes, 1 ok\n"))
    #expect(clock.exitCode == 0)
    #expect(
      wrong.errors == "worker: '--only clok': did you mean 'clock'?"
        + " 'worker doctor --help' shows what can be written\n")
    #expect(wrong.exitCode == 64)
  }
}
