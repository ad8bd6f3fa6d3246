import Postgres
import TestSupport
import Testing

/// `worker runs`, `jobs` and `workers`, with the real program on a real database.
@Suite("Lists for people")
struct RunsCommandTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try .migrated()
    folder = try ScratchFolder()
    let settings = """
      [database]
      url = "\(database.url)"
      [time]
      zone = "Asia/Seoul"
      """
    _ = try folder.write(settings, to: "worker.toml", mode: 0o644)
    try database.connect().run(script: Self.runs)
  }

  /// A tick of the schedule, then one of an earlier day that ana ran, then one of a backfill that failed.
  private static let runs = """
    INSERT INTO jobkit.job (name, known_since, decided_until)
      VALUES ('settle_rewards', '2026-03-01Z', '2026-03-02Z');
    INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, parts_left, decided_at,
      decided_by, started_at, finished_at)
    VALUES
      ('settle_rewards', '2026-03-02T04:00Z', 'schedule', 'succeeded', NULL, 0,
        '2026-03-02T04:00Z', 'db1:7:a', '2026-03-02T04:00Z', '2026-03-02T04:01Z'),
      ('settle_rewards', '2026-03-01T04:00Z', 'manual', 'succeeded', NULL, 0,
        '2026-03-02T05:00Z', 'ana@db1', '2026-03-02T05:00Z', '2026-03-02T05:01Z'),
      ('settle_rewards', '2026-03-01T05:00Z', 'backfill', 'failed', 'the Disk was full', 0,
        '2026-03-02T06:00Z', 'ben@db1', '2026-03-02T06:00Z', '2026-03-02T06:01Z');
    """

  private func worker(_ words: [String]) throws -> Program {
    try Program(
      words: words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": TestEnvironment.zoneinfo,
        "USER": "ana",
      ])
  }

  @Test func `the run that was entered last stands first, with what it goes back to and by whom`()
    throws
  {
    let lines = try worker(["runs"]).output.split(separator: "\n")

    #expect(lines.count == 4)
    #expect(lines[0].contains(/^run +job +scheduled for \(\+09:00\) +trigger +by +state +took/))
    #expect(lines[1].contains(/^3 +settle_rewards .* backfill +ben@db1 +failed +1 min/))
    #expect(
      lines[2].contains(/^2 +settle_rewards +2026-03-01 13:00 \(.* ago\) +manual +ana@db1/))
    #expect(lines[3].contains(/^1 +settle_rewards .* schedule +db1:7:a +succeeded/))
  }

  @Test(arguments: [
    (["--trigger", "manual"], ["2"]), (["--trigger", "backfill"], ["3"]),
    (["--text", "disk"], ["3"]), (["--text", "ANA@"], ["2"]), (["--text", "nothing"], []),
    (["--job", "settle_rewards", "--state", "succeeded"], ["2", "1"]),
    // The schedule's goes by its tick, 13:00 in Seoul, the others by their start, 14:00 and 15:00.
    (["--until", "2026-03-02 14:30"], ["2", "1"]), (["--since", "2026-03-02 14:30"], ["3"]),
    (["--since", "2026-03-02 13:00", "--until", "2026-03-02 13:01"], ["1"]), (["-n", "1"], ["3"]),
  ])
  func `runs are chosen by what they go back to, by text, and by a range of time`(
    words: [String], numbers: [String]
  ) throws {
    let program = try worker(["runs", "--columns", "run"] + words)

    #expect(program.errors.isEmpty)
    let shown = program.output.split(separator: "\n").map(String.init)
    #expect(shown == (numbers.isEmpty ? ["no such run"] : ["run"] + numbers))
  }

  @Test(arguments: [
    (["--trigger", "hand"], "'--trigger hand': write schedule, manual, backfill or request"),
    (
      ["settle_rewards", "--job", "deliver_pushes"],
      "'--job deliver_pushes': the job is 'settle_rewards' already: write one of them"
    ),
    (
      ["--since", "2026-03-02", "--until", "2026-03-01"],
      "'--until 2026-03-01': it must lie after --since, 2026-03-01T15:00:00Z"
    ),
  ])
  func `a choice that can let nothing through is refused`(words: [String], reason: String) throws {
    let refused = try worker(["runs"] + words)

    #expect(
      refused.errors == "worker: \(reason); 'worker runs --help' shows what can be written\n")
    #expect(refused.exitCode == 64)
  }

  @Test func `times are those of the job's zone, or with --utc in UTC, and always so in JSON`()
    throws
  {
    let local = try worker(["runs", "--trigger", "schedule"]).output
    let utc = try worker(["runs", "--trigger", "schedule", "--utc"]).output
    let json = try worker(["runs", "--trigger", "schedule", "--json"]).output
    let jobs = try worker(["jobs"]).output

    #expect(local.contains("2026-03-02 13:00 ("))
    #expect(utc.contains("scheduled for (UTC)") && utc.contains("2026-03-02 04:00 ("))
    #expect(json.contains(#""scheduled_for": "2026-03-02T04:00:00Z""#))
    #expect(jobs.contains("next (+09:00)") && jobs.contains("last run (+09:00)"))
  }

  @Test func `why says times by the job's zone, whose offset it says once, and --utc UTC`() throws {
    let at = ["why", "settle_rewards", "--at", "2026-03-02 13:00"]
    let local = try worker(at).output
    let utc = try worker(at + ["--utc"]).output
    let next = try worker(["why", "settle_rewards"]).output
    let json = try worker(["why", "settle_rewards", "--json"]).output

    #expect(
      local.contains(
        /^settle_rewards in Asia\/Seoul \(\+09:00\)\nthe tick of 2026-03-02 13:00 \(.* ago\) is run 1\n/
      ))
    #expect(
      utc.contains(
        /^settle_rewards in Asia\/Seoul; times are UTC\nthe tick of 2026-03-02 04:00 \(.* ago\) is/)
    )
    #expect(
      next.contains(
        /^settle_rewards is due at '.*' in Asia\/Seoul \(\+09:00\)\nits next tick is .*\(in .*\)\n/)
    )
    #expect(
      json.contains(/"says": \[\n +"settle_rewards is due at '.*' in Asia\/Seoul; times are UTC"/))
  }

  @Test func `many missed ticks in one line begin at a time of the job's zone`() throws {
    try database.connect().run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, first_tick, ticks, trigger, state, fate, reason,
        parts_left, decided_at, decided_by, finished_at)
      VALUES ('settle_rewards', '2026-03-02T07:00Z', '2026-03-02T05:00Z', 3, 'schedule', 'collapsed',
        'missed', 'missed: no daemon was looking', 0, '2026-03-02T08:00Z', 'db1:7:a', '2026-03-02T08:00Z')
      """)

    let shown = try worker(["runs", "--state", "collapsed"]).output

    #expect(shown.contains(/missed +3 ticks since 2026-03-02 14:00: missed: no daemon was looking/))
    let json = try worker(["runs", "--state", "missed", "--json"]).output
    #expect(json.contains(/"state": "collapsed",\n +"fate": "missed",/))
  }

  @Test func `a pause ends when people say, by the clocks of the job's zone`() throws {
    func pause(_ until: String, _ more: String...) throws -> Program {
      try worker(["pause", "settle_rewards", "--reason", "r", "--until", until] + more)
    }

    let date = try pause("2999-01-02 08:00")
    let json = try pause("2999-01-02", "--json")
    let length = try pause("in 2h")
    let jobs = try worker(["jobs"]).output
    let over = try pause("yesterday")
    let strange = try pause("soon")

    #expect(
      date.output.contains(
        #/^settle_rewards is paused by ana@\S+ until 2999-01-02 08:00 \(\+09:00\): r\n/#))
    #expect(json.output.contains(#""until": "2999-01-01T15:00:00Z""#))
    #expect(
      length.output.contains(
        /\nthis replaces the pause by ana@.* until 2999-01-02 00:00 \(\+09:00\): r\n/))
    #expect(jobs.contains(/paused by ana@.* until (\d{4}-\d\d-\d\d )?\d\d:\d\d(:\d\d)?: r/))
    #expect(
      over.errors == "worker: '--until yesterday': that is over: write an instant, a local date or"
        + " time, tomorrow, or a while such as 2h; 'worker pause --help' shows what can be written\n"
    )
    #expect(strange.errors.contains("'2026-03-08 02:00', tomorrow, or a while such as 2h; "))
    #expect(over.exitCode == 64 && strange.exitCode == 64)
  }

  @Test func `an audit of the future is refused`() throws {
    let refused = try worker(["audit", "--from", "2999-01-01"])

    #expect(
      refused.errors
        == "worker: '--from 2999-01-01': it lies in the future, where no tick has happened yet;"
        + " 'worker audit --help' shows what can be written\n")
    #expect(refused.exitCode == 64)
  }

  /// Enters a daemon that goes by other settings and was seen so many seconds ago.
  private func enterDaemon(_ name: String, seen: Int) throws {
    try database.connect().run(
      """
      INSERT INTO jobkit.daemon
        (name, host, process, version, settings_hash, jobs, started_at, seen_at, ready_at)
      VALUES (\(name), 'db1', 7, '1', 'abc', '{settle_rewards}', now() - interval '1 day',
        now() - \(seen) * interval '1 second', now() - interval '1 day')
      """)
  }

  @Test func `jobs says when a daemon goes by other settings than the file it was asked with`()
    throws
  {
    let alone = try worker(["jobs"])
    try enterDaemon("db1:7:a", seen: 0)
    let one = try worker(["jobs"])
    try enterDaemon("db1:8:b", seen: 0)
    let two = try worker(["jobs"])

    #expect(alone.errors.isEmpty)
    #expect(
      one.errors.contains(
        /^note: daemon db1:7:a runs with other settings \(abc\) than this file \([0-9a-f]+\): this/)
    )
    #expect(two.errors.contains("note: daemon db1:7:a and 1 more runs with other settings (abc)"))
  }

  @Test func `workers tells for how long a daemon was not seen, before it counts as silent`() throws
  {
    try enterDaemon("db1:7:a", seen: 0)
    try enterDaemon("db1:8:b", seen: 3000)

    let shown = try worker(["daemons", "--columns", "daemon,state"]).output

    #expect(shown.contains(/\ndb1:7:a +ready\n/))
    #expect(shown.contains(/\ndb1:8:b +silent: not seen for 50 min/))
  }
}
