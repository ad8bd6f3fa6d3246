import Postgres
import TestSupport
import Testing

/// What the commands say while no daemon runs, and after that: two hours of a job of every minute are not decided.
@Suite("The commands in an outage")
struct OutageCommandTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase.migrated()
    folder = try ScratchFolder()
    try folder.write(
      "[database]\nurl = \"\(database.url)\"\n[jobs.settle_rewards]\nevery = \"1m\"\n",
      to: "worker.toml")
    try database.connect().run(script: Self.rows)
  }

  /// The job was decided up to two hours ago; the tick of then succeeded.
  private static let rows = """
    CREATE TABLE outage AS SELECT date_trunc('minute', now()) - interval '2 h' AS start;
    INSERT INTO jobkit.job (name, known_since, decided_until)
      SELECT 'settle_rewards', start - interval '1 min', start FROM outage;
    INSERT INTO jobkit.schedule SELECT 'settle_rewards', start - interval '1 min', 'every 1m; UTC'
      FROM outage;
    INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, parts_left,
        started_at, finished_at)
      SELECT 'settle_rewards', start, 'schedule', 'succeeded', start, 'db1:1', 0, start, start
      FROM outage;
    INSERT INTO jobkit.presence (seen_at) SELECT start FROM outage;
    """

  private func worker(_ words: String...) throws -> Program {
    try Program(
      words: words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": TestEnvironment.zoneinfo,
      ])
  }

  /// An instant of the outage, so many minutes after its start, as the program writes it.
  private func instant(minutes: Int) throws -> String {
    try database.connect().run(
      """
      SELECT to_char((start + \(minutes) * interval '1 min') AT TIME ZONE 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM outage
      """
    ).only[0]
  }

  @Test func `an audit of the last hour begins where people say it`() throws {
    let audit = try worker("audit", "--from", "1h", "--json").output

    let expected = audit.matches(of: #/"expected": (\d+)/#).compactMap { Int($0.1) }
    #expect(expected.max().map { (59...60).contains($0) } == true, "\(audit)")
  }

  @Test
  func `audit counts the ticks up to now and ends with 1, with since when no daemon is there`()
    throws
  {
    let audit = try worker("audit")
    let json = try worker("audit", "--json")

    let (start, first) = (try instant(minutes: 0), try instant(minutes: 1))
    let clock = #"(\d{4}-\d\d-\d\d )?\d\d:\d\d"#
    #expect(audit.exitCode == 1)
    // A minute may pass while the test runs.
    let pattern = try Regex(
      "settle_rewards +12[12] +1 succeeded +12[01] +\(clock) +not decided yet: no daemon since \(clock)\n"
    )
    #expect(audit.output.contains("first missing (UTC)"))
    #expect(audit.output.contains(pattern), "\(audit.output)")
    let sentence = try Regex(
      "\n12[01] ticks since \(clock) \\(UTC\\) are not decided yet: no daemon since \(clock) \\(UTC\\)\n$"
    )
    #expect(audit.output.contains(sentence), "\(audit.output)")
    #expect(json.exitCode == 1)
    #expect(json.output.contains(#/"undecided": 12[01],/#))
    #expect(json.output.contains("\"missing\": [\n      \"\(first)\""))
    #expect(json.output.contains("\"why\": \"not decided yet: no daemon since \(start)\""))
  }

  @Test func `audit of a time that is decided is complete, outage or not`() throws {
    try onlyOneJob()

    let audit = try worker("audit", "--to", instant(minutes: 0))

    #expect(audit.exitCode == 0, "\(audit.output)\(audit.errors)")
    #expect(!audit.output.contains("not decided"))
  }

  @Test func `audit does not call a job complete of which the ledger knows no schedule`() throws {
    try onlyOneJob("[jobs.deliver_pushes]\nevery = \"1m\"\n")

    let audit = try worker("audit", "--to", instant(minutes: 0))
    let json = try worker("audit", "--json")

    #expect(
      audit.output.contains(
        #/deliver_pushes +0 +0 +not judged: the ledger knows no schedule of this job, as no daemon has/#
      ), "\(audit.output)")
    #expect(audit.exitCode == 1)
    #expect(
      json.output.contains(#/"job": "deliver_pushes",\n +"expected": 0,(.|\n)*"judged": false/#))
  }

  @Test(arguments: [0, 30])
  func `audit says from when on it judges a job that was entered anew, or run by hand before`(
    days: Int
  ) throws {
    try onlyOneJob("[jobs.deliver_pushes]\nschedule = \"0 4 1 1 *\"\n")
    try database.connect().run(
      """
      INSERT INTO jobkit.job (name, known_since, decided_until)
      VALUES ('deliver_pushes', now() - \(days) * interval '1 day', now())
      """)
    if days > 0 {
      try database.connect().run(
        "INSERT INTO jobkit.schedule VALUES ('deliver_pushes', now(), '0 4 1 1 *; UTC; once')")
    }

    let audit = try worker("audit", "--to", instant(minutes: 0))

    #expect(
      audit.output.contains(
        #/deliver_pushes +0 +0 +not judged before .*: the ledger knows no schedule of this job before/#
      ), "\(audit.output)")
    #expect(audit.exitCode == 0)
  }

  /// Disables the jobs that the scene does not enter.
  private func onlyOneJob(_ more: String = "") throws {
    let others = AppJobs.all(but: "settle_rewards")
    let disabled = others.filter { !more.contains($0) }.map { "[jobs.\($0)]\nenabled = false\n" }
    try folder.write(
      "[database]\nurl = \"\(database.url)\"\n[jobs.settle_rewards]\nevery = \"1m\"\n"
        + disabled.joined() + more, to: "worker.toml")
  }

  @Test func `why speaks of the tick that was asked for, not of the last that was decided`() throws
  {
    let why = try worker("why", "settle_rewards", "--at", instant(minutes: 60))
    let json = try worker("why", "settle_rewards", "--at", instant(minutes: 60), "--json")
    let decided = try worker("why", "settle_rewards", "--at", instant(minutes: 0))

    let tick = try instant(minutes: 60)
    let clock =
      #/settle_rewards in UTC.*\nthe tick of .*\(1 h( \d+ min)? ago\) is not decided yet\n/#
    #expect(why.output.contains(clock), "\(why.output)")
    #expect(why.output.contains(#/\n12[01] ticks since .* are not decided yet: no daemon since /#))
    #expect(json.output.contains("\"tick\": \"\(tick)\"") && json.output.contains("\"run\": null"))
    #expect(decided.output.contains(#/\nthe tick of .*\(2 h( \d+ min)? ago\) is run 1\n/#))
    #expect(decided.output.contains("\nit was decided by db1:1 and has succeeded\n"))
  }

  /// A run by hand may have made the job known before any daemon scheduled it.
  @Test(arguments: [0, 10])
  func `why tells a tick whose row was deleted from one before the job was scheduled`(
    knownBefore minutes: Int
  ) throws {
    try database.connect().run("DELETE FROM jobkit.run")
    try database.connect().run(
      "UPDATE jobkit.job SET known_since = known_since - \(minutes) * interval '1 min'")

    let deleted = try worker("why", "settle_rewards", "--at", instant(minutes: 0))
    let early = try worker("why", "settle_rewards", "--at", instant(minutes: -5))

    let gone = " has no row although the job is decided until "
    #expect(deleted.output.contains(gone), "\(deleted.output)\(deleted.errors)")
    let before = " has no row: the job is scheduled here since "
    #expect(early.output.contains(before), "\(early.output)\(early.errors)")
  }

  @Test func `why of a job says what is not decided, and how its runs failed`() throws {
    try database.connect().run(
      script: """
        UPDATE jobkit.run SET state = 'failed';
        INSERT INTO jobkit.part (run, number, job, state, not_before, finished_at, error)
          SELECT 1, 0, 'settle_rewards', 'failed', start, start, 'no space left' FROM outage;
        """)

    let why = try worker("why", "settle_rewards").output
    let jobs = try worker("jobs").output

    #expect(
      why.contains(#/\n12[01] ticks since .* are not decided yet: no daemon since /#), "\(why)")
    let failed = "failed, and the ledger knows no success before it: no space left"
    #expect(why.contains(failed), "\(why)")
    #expect(jobs.contains(failed), "\(jobs)")
  }

  @Test func `report says first since when the worker has been down`() throws {
    let report = try worker("report", "--day")
    let json = try worker("report", "--day", "--json")

    let sentence = try Regex(
      #"^The worker has been down since \S+ \S+: no job runs, and 12[01] runs that came due are missing\."#
    )
    let sentences = report.output.split(separator: "\n\n").dropFirst().first ?? ""
    #expect(sentences.contains(sentence), "\(report.output)\(report.errors)")
    #expect(
      json.output.contains(
        #/"outages": \[\],\n  "lasting_outage": \{\n +"begin": "\S+",\n +"undecided": 12[01],\n +"had_daemon": false\n/#
      ), "\(json.output)")
  }

  @Test func `report says first from when to when it was down`() throws {
    try database.connect().run(
      script: """
        INSERT INTO jobkit.outage (began_at, back_at, ended_at)
          SELECT seen_at, now(), now() FROM jobkit.presence;
        UPDATE jobkit.presence SET seen_at = now();
        INSERT INTO jobkit.daemon (name, host, process, version, settings_hash, jobs, started_at,
            seen_at, ready_at)
          VALUES ('db1:1:a', 'db1', 1, '1', 'aa', '{settle_rewards}', now(), now(), now());
        """)

    let report = try worker("report", "--day")

    let sentences = report.output.split(separator: "\n\n").dropFirst().first ?? ""
    #expect(
      sentences.contains(#/^The worker was down from \S+ \S+ to \S+ \S+: no run was missed\./#),
      "\(report.output)\(report.errors)")
  }
}
