internal import Glibc
internal import Postgres
internal import TestSupport
internal import Testing

/// What the settings say of a job, in the hands of the real program.
@Suite("A job's settings")
struct JobSettingsTests {
  @Test func `a run by hand is cut and treated as the settings say`() throws {
    let rehearsal = try Rehearsal()
    try rehearsal.run("DROP TABLE rehearsal")
    try rehearsal.set("[jobs.rehearse]\nparts = 3\ntries = 1")

    let output = try rehearsal.output(of: "run", "rehearse")

    #expect(output.contains("part 2 (of 3): failed"))
    #expect(output.contains("run 1 failed in "))
  }

  @Test func `a job of the settings is backfilled only where they say so`() throws {
    let rehearsal = try Rehearsal()
    let table = "[jobs.report]\nkind = \"command\"\ncommand = [\"/bin/true\"]\nevery = \"1d\"\n"
    let call = ["backfill", "report", "--from", "2026-03-01", "--reprocess", "all", "--dry-run"]

    try rehearsal.set(table)
    let refused = try rehearsal.program(words: call)
    try rehearsal.set(table + "backfill = true")
    let allowed = try rehearsal.program(words: call)

    #expect(
      refused.errors.contains(
        "'report' is not backfilled, as its table in the settings does not say 'backfill = true'; nothing"
          + " was entered"))
    #expect(refused.exitCode == 65)
    #expect(allowed.exitCode == 0, "\(allowed.errors)")
  }

  @Test func `where the next tick is excluded, the commands say so and show the next run`() throws {
    let rehearsal = try Rehearsal()
    try rehearsal.set(
      """
      [calendars.holidays]
      days = ["2026-01-01..2998-12-31"]
      [jobs.rehearse]
      except = ["holidays"]
      """)

    let jobs = try rehearsal.output(of: "jobs")
    let why = try rehearsal.output(of: "why", "rehearse")
    let next = try rehearsal.output(of: "next", "rehearse", "--count", "1")

    #expect(jobs.contains(/rehearse +every 1s +UTC +2999-01-01 00:00 \(in/))
    #expect(jobs.contains(/skips until then: 2\d{3}-\d\d-\d\d is in the calendar 'holidays'/))
    #expect(why.contains(/that tick is skipped, because 2\d{3}-\d\d-\d\d is in the calendar/))
    #expect(why.contains("; it runs next: 2999-01-01 00:00 (in "))
    #expect(next.contains(/rehearse +skipped: 2\d{3}-\d\d-\d\d is in the calendar 'holidays'/))
  }

  @Test func `SIGHUP takes on other settings of a job while it runs, and says what changed`()
    async throws
  {
    let (log, isWell) = try await onOwnThread { try Self.reload() }

    #expect(log.contains("settings: jobs.rehearse.parts: 2 -> 3\""))
    #expect(log.contains("settings: jobs.rehearse.percent: 100 -> 5\""))
    #expect(log.contains(/settings: http.connections: \d+ -> 30; from the next start on"/))
    #expect(log.contains(/settings: http.allow: .*-> 10\.0\.0\.0\/8; from the next start on"/))
    #expect(log.contains("settings: taken on\""))
    #expect(isWell)
  }

  /// Reloads a daemon; returns its log, and whether it ended well.
  private static func reload() throws -> (log: String, isWell: Bool) {
    let rehearsal = try Rehearsal()
    let daemon = try rehearsal.daemon()
    try rehearsal.wait(
      for: 1, of: "SELECT count(*) FROM jobkit.run WHERE state = 'succeeded' AND parts = 2")

    try rehearsal.set(
      "[jobs.rehearse]\nparts = 3\npercent = 5\n[http]\nconnections = 30\nallow = [\"10.0.0.0/8\"]")
    daemon.send(SIGHUP)
    try rehearsal.wait(
      for: 1,
      of: """
        SELECT count(*) FROM jobkit.run
        WHERE state = 'succeeded' AND parts = 3 AND percent = 5
          AND settings_hash <> (SELECT settings_hash FROM jobkit.run ORDER BY id LIMIT 1)
        """)
    daemon.send(SIGTERM)
    let status = try daemon.status()
    return (rehearsal.log, status == 0)
  }

  @Test func `SIGHUP takes on new zone files, and says for which job`() async throws {
    let log = try await onOwnThread { try Self.renewZones() }

    #expect(log.contains(/the zone Asia\/Seoul has new rules: next tick 2.* job=rehearse/))
  }

  private static func renewZones() throws -> String {
    let rehearsal = try Rehearsal()
    let zones = try ZoneFolder(of: "Asia/Seoul")
    try rehearsal.set(
      "[time]\nzoneinfo = \"\(zones.path)\"\nzone = \"Asia/Seoul\"")
    let daemon = try rehearsal.daemon()
    try rehearsal.wait(for: 1, of: "SELECT count(*) FROM jobkit.run WHERE state = 'succeeded'")

    try zones.release("2026f", with: "Asia/Seoul", like: "Asia/Shanghai")
    daemon.send(SIGHUP)
    try eventually { rehearsal.log.contains("has new rules") }
    return rehearsal.log
  }

  @Test func `SIGHUP with a file that cannot be used changes nothing, and says why`() async throws {
    let log = try await onOwnThread { try Self.refuse() }

    #expect(log.contains("'jobs.rehearse.parts' is 0: write a whole number from 1 to 1024"))
    #expect(log.contains("settings: refused, the old ones stay in force"))
  }

  private static func refuse() throws -> String {
    let rehearsal = try Rehearsal()
    let daemon = try rehearsal.daemon()
    try rehearsal.wait(for: 1, of: "SELECT count(*) FROM jobkit.run WHERE state = 'succeeded'")

    try rehearsal.set("[jobs.rehearse]\nparts = 0")
    daemon.send(SIGHUP)
    try eventually { rehearsal.log.contains("refused") }
    try rehearsal.wait(for: 3, of: "SELECT count(*) FROM jobkit.run WHERE state = 'succeeded'")
    return rehearsal.log
  }
}
