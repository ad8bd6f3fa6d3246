import JobKit
import Ledger
import LocalTime
import Postgres
import Settings
import TestSupport
import Testing

@testable import WorkerProgram

/// What people look at, on terminals of several widths.
@Suite("Tables on a terminal")
struct TableWidthTests {
  private static let zones = Result { try ZoneDatabase(root: TestEnvironment.zoneinfo) }

  private static let scene = """
    INSERT INTO jobkit.job (name, known_since, decided_until)
      VALUES ('refresh_widget_snapshots', '2026-03-01Z', '2026-03-02Z');
    INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, decided_at, decided_by,
      started_at, parts_left, finished_at)
    VALUES ('refresh_widget_snapshots', '2026-03-01T04:00Z', 'backfill', 'failed',
      'duplicate key value violates unique constraint "widget_changes_pkey": the key exists already',
      '2026-03-02T05:00Z', 'somebody@batch-host-17.example.org', '2026-03-02T05:00Z', 0,
      '2026-03-02T05:01Z');
    INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, started_at)
    VALUES ('refresh_widget_snapshots', '2026-03-02T04:00Z', 'manual', 'running',
      '2026-03-02T05:00Z', 'somebody@batch-host-17.example.org', '2026-03-02T05:00Z');
    INSERT INTO jobkit.part (run, number, job, state, not_before, daemon, lease_until, error)
    VALUES (2, 0, 'refresh_widget_snapshots', 'running', '2026-03-02T05:00Z',
      'batch-host-17.example.org:48213:5f2a91c7:1', '2026-03-02T06:00Z',
      'could not extend file "base/16384/2613": No space left on device');
    INSERT INTO jobkit.daemon
      (name, host, process, version, settings_hash, jobs, started_at, seen_at)
    VALUES ('batch-host-17.example.org:48213:5f2a91c7', 'batch-host-17.example.org', 48213,
      '2026.11.27', '5f2a91c7', '{refresh_widget_snapshots}', '2026-03-01T05:00Z',
      '2026-03-02T05:10Z');
    """

  private func tables() throws -> [Table] {
    let database = try TestDatabase.migrated()
    let connection = try database.connect()
    try connection.run(script: Self.scene)
    let (zones, now) = (try Self.zones.get(), try Instant("2026-03-02T05:10:34Z"))
    let times = Times(zone: try zones.zone(named: "America/New_York"), now: now)
    let settings = try Settings.load(
      "[database]\nurl = \"postgresql:///worker\"", file: "worker.toml",
      catalogue: ProgramJobs.catalogue, environment: [:], zones: { _ in zones }
    ).settings
    let known = try Ledger.jobs(on: connection)
    let lines = settings.jobs.map { job in
      let record = known.first { $0.name == job.name }
      return JobLine(
        job: job, record: record, diagnosis: nil, isUnentered: record == nil, now: now)
    }
    return [
      Command.table(of: try Ledger.runs(Ledger.RunFilter(), on: connection), times),
      Command.table(of: lines, times),
      Command.table(of: try Ledger.daemons(on: connection), times),
      PartTable.of(try Ledger.parts(on: connection), at: now),
    ]
  }

  @Test(arguments: [60, 80, 132])
  func `no line is wider than the terminal, no word is broken, and what is left out is named`(
    width: Int
  ) throws {
    for table in try tables() {
      let text = table.text(in: Style(isColoured: false, width: width))
      let whole = table.text(in: Style(isColoured: false))

      for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
      let words = Set(whole.split { $0 == " " || $0 == "\n" })
      let (shown, hidden) = Self.parted(text)
      for word in shown { #expect(words.contains(word), "\(word)") }
      for name in table.names where !hidden.contains(name) { #expect(text.contains(name)) }
    }
  }

  @Test(arguments: [60, 80])
  func `what commands print fits the terminal, but for what the doctor says to type`(
    width: Int
  ) throws {
    let (database, folder) = (try TestDatabase.migrated(), try ScratchFolder())
    try database.connect().run(script: Self.scene)
    let file = try folder.write(
      "[database]\nurl = \"\(database.url)\"\n", to: "worker.toml", mode: 0o644)

    for command in [
      "audit", "next", "doctor", "push providers", "migrate status", "report", "health",
      "forecast schedule_daily_push",
    ] {
      let call = "stty cols \(width); \"$PROGRAM\" \(command) 2>/dev/null"
      let program = try Program(
        shell: "script -qec '\(call)' /dev/null </dev/null",
        variables: [
          "WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo, "TERM": "dumb",
          "PATH": "/usr/bin:/bin",
        ])

      let lines = program.output.split(whereSeparator: \.isNewline)
      #expect(lines.count > 1, "\(command): \(program.output)")
      for line in lines where line.drop(while: { $0 == " " }).prefix(4) != "do: " {
        // No word is broken, and the path of a file is one.
        let isOneWord = !line.drop(while: { $0 == " " }).contains(" ")
        #expect(line.count <= width || isOneWord, "\(command): \(line)")
      }
    }
  }

  @Test func `the rate and the time left are those of the time that a worker worked`() throws {
    let database = try TestDatabase.migrated()
    let connection = try database.connect()
    try connection.run(script: Self.scene)
    // It began an hour ago, and workers had it in their hands for ten seconds and for the last five.
    try connection.run(
      """
      UPDATE jobkit.part SET started_at = '2026-03-02T04:10:34Z', began_at = '2026-03-02T05:10:29Z',
        worked = 10000000, tries = 3, done = 150, total = 450
      """)

    let part = try #require(try Ledger.parts(on: connection).first)
    let pace = Pace(part, at: try Instant("2026-03-02T05:10:34Z"))

    #expect([pace.done, pace.rate, pace.left] == ["150/450", "10/s", "30 s"])
  }

  @Test(arguments: [
    ("2026-03-02T05:10:15Z", "starting"), ("2026-03-02T05:10:34Z", "not seen for 34 s"),
    ("2026-03-02T05:10:45Z", "silent: not seen for 45 s"),
    ("2026-03-02T05:12:00Z", "silent: not seen for 2 min"),
  ])
  func `a daemon that is late to show itself is said to be, before it counts as silent`(
    now: String, state: String
  ) throws {
    let database = try TestDatabase.migrated()
    try database.connect().run(script: Self.scene)

    let daemon = try #require(try Ledger.daemons(on: database.connect()).first)

    #expect(daemon.state(at: try Instant(now)) == state)
  }

  /// The words of a table, and the columns that its last line names.
  private static func parted(_ text: String) -> (words: [Substring], hidden: String) {
    let parts = text.split(separator: "\nnot shown: ", maxSplits: 1)
    let hidden = parts.count > 1 ? String(parts[1]).replacing("\n", with: " ") : ""
    return (parts[0].split { $0 == " " || $0 == "\n" }, hidden)
  }
}
