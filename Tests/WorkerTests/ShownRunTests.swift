import Postgres
import TestSupport
import Testing

/// What commands show of a run that is over, of one that is cancelled, and of a job that has no row.
@Suite("What is shown of runs and jobs")
struct ShownRunTests {
  private let rehearsal: Rehearsal

  init() throws { rehearsal = try Rehearsal() }

  @Test func `the daemon of a part that is over stays known`() throws {
    #expect(try rehearsal.program("run", "rehearse").exitCode == 0)

    let daemon = try rehearsal.text("SELECT last_daemon FROM jobkit.part WHERE number = 1")
    let table = try rehearsal.program("show", "1").output
    let json = try rehearsal.program("show", "1", "--json").output

    let rows = table.split(separator: "\n").filter { $0.contains(" rehearse ") }
    #expect(rows.count == 2, "\(table)")
    for row in rows { #expect(row.contains(" succeeded  \(daemon) "), "\(table)") }
    #expect(json.contains("\"daemon\": \"\(daemon)\""))
  }

  @Test func `an error of a part is said once`() throws {
    try rehearsal.set("[jobs.rehearse]\nparts = 1\ntries = 1")
    try rehearsal.run("DROP TABLE rehearsal")
    #expect(try rehearsal.program("run", "rehearse").exitCode == 1)

    let shown = try rehearsal.program("show", "1").output

    let reason = "relation \"public.rehearsal\" does not exist"
    #expect(shown.split(separator: reason).count == 2, "\(shown)")
  }

  @Test func `a run that is cancelled says so once, and after how long`() throws {
    try rehearsal.slowDown(by: 0.3, failingOnce: false)
    let run = try rehearsal.start(["run", "rehearse"])
    try rehearsal.waitForChunk()
    #expect(try rehearsal.program("cancel", "1").exitCode == 0)
    _ = try run.status()

    let line = try rehearsal.awaitLine("run 1 cancelled")

    #expect(line.contains(#/^run 1 cancelled by \S+, after [0-9.]+ m?s$/#), "\(line)")
  }

  @Test func `the time of a job's run may be a local one, in the zone of the job`() throws {
    try rehearsal.set("[time]\nzone = \"Asia/Seoul\"")

    let run = try rehearsal.program("run", "rehearse", "--for", "2026-03-01 10:00")

    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(
      try rehearsal.number(
        "SELECT count(*) FROM jobkit.run WHERE scheduled_for = '2026-03-01 01:00Z'") == 1)
  }

  @Test func `a job without a row is not decided, and jobs says so beside a daemon`() throws {
    let alone = try rehearsal.program("jobs", "--columns", "job,state").output
    try rehearsal.run(
      """
      INSERT INTO jobkit.daemon
        (name, host, process, version, settings_hash, jobs, started_at, seen_at, ready_at)
      VALUES ('db1:7:a', 'db1', 7, '1', '1', '{}', now(), now(), now())
      """)

    let shown = try rehearsal.program("jobs", "--columns", "job,state").output

    #expect(!alone.contains("has no row"))
    #expect(
      shown.contains(#/\nrehearse +has no row in jobkit\.job: its ticks are not decided\n/#),
      "\(shown)")
  }
}
