import Postgres
import TestSupport
import Testing

/// What the report says of times in which nothing was decided, three days ago: of an hour, of eleven minutes with a
/// return in between, and of an hour in which a daemon was cut off from the database.
@Suite("The report after outages")
struct OutageReportTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase.migrated()
    folder = try ScratchFolder()
    try configure()
    try database.connect().run(script: Self.rows)
  }

  private func configure(_ more: String = "") throws {
    try folder.write(
      """
      [database]
      url = "\(database.url)"
      [time]
      zone = "Asia/Seoul"
      [jobs.settle_rewards]
      every = "1m"
      [jobs.deliver_pushes]
      every = "1m"
      \(more)
      """, to: "worker.toml")
  }

  /// The outages, and the ticks that were missed in them.
  ///
  /// Those of the first are one row of many ticks; another such row reaches from the first into the second, as no
  /// daemon of between had code for its job. A tick that waited for a worker in vain is in none.
  private static let rows = """
    CREATE TABLE base AS SELECT date_trunc('hour', now()) - interval '3 days' AS base;
    INSERT INTO jobkit.outage (began_at, back_at, ended_at, interrupted_seconds, had_daemon)
      SELECT base, base + interval '1 h', base + interval '1 h', 0, false FROM base
      UNION ALL SELECT base + interval '3 h', base + interval '3 h 8 min', base + interval '3 h 11 min', 6, false
      FROM base
      UNION ALL SELECT base + interval '5 h', base + interval '6 h', base + interval '6 h', 0, true FROM base;
    INSERT INTO jobkit.job (name, known_since, decided_until)
      SELECT job, base - interval '1 year', now()
      FROM base, unnest('{settle_rewards,deliver_pushes}'::text[]) AS job;
    INSERT INTO jobkit.schedule SELECT name, known_since, 'every 1m; UTC' FROM jobkit.job;
    INSERT INTO jobkit.run (job, scheduled_for, trigger, state, fate, reason, ticks, first_tick, decided_at,
        decided_by, parts_left, finished_at)
      SELECT job, base + last * interval '1 min', 'schedule', state, fate, 'no daemon was looking', ticks,
        base + first * interval '1 min', base + decided * interval '1 min', 'test', 0,
        base + ended * interval '1 min'
      FROM base, (VALUES
        ('settle_rewards', 59, 'collapsed', 'missed', 59, 1, 60, 60),
        ('settle_rewards', 181, 'missed', NULL, 1, NULL, 191, 191),
        ('settle_rewards', 190, 'missed', NULL, 1, NULL, 191, 191),
        ('settle_rewards', 185, 'missed', NULL, 1, NULL, 185, 190),
        ('deliver_pushes', 190, 'collapsed', 'missed', 190, 1, 191, 191)
      ) AS row (job, last, state, fate, ticks, first, decided, ended);
    """

  private func report(_ words: String...) throws -> Program {
    try Program(
      words: ["report"] + words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": TestEnvironment.zoneinfo,
      ])
  }

  /// An instant so many hours after the first outage began, as the report writes it.
  private func local(_ after: String) throws -> String {
    try database.connect().run(
      """
      SELECT to_char((base + \(after)::interval) AT TIME ZONE 'Asia/Seoul', 'YYYY-MM-DD HH24:MI') FROM base
      """
    ).only[0]
  }

  @Test func `each of them comes first, from when to when and with what was missed in it`() throws {
    let report = try report()

    #expect(report.exitCode == 0, "\(report.errors)")
    let sentences = try #require(report.output.split(separator: "\n\n").dropFirst().first)
    let first =
      "The worker was down from \(try local("0 h")) to \(try local("1 h")): 119 runs were missed."
    let second =
      "The worker was down from \(try local("3 h")) to \(try local("3 h 11 min")), but for 6 s:"
      + " 13 runs were missed."
    let third =
      "Nothing was decided between \(try local("5 h")) and \(try local("6 h")),"
      + " though the worker was there: no run was missed."
    #expect(
      sentences.split(separator: "\n").prefix(3).map(String.init) == [first, second, third],
      "\(report.output)")
  }

  @Test func `a report that has only a share of one tells it whole, and no other`() throws {
    let report = try report("--from", try local("30 min"), "--to", try local("2 h"))

    let (start, end) = (try local("0 h"), try local("1 h"))
    let sentence = "\n\nThe worker was down from \(start) to \(end): 119 runs were missed.\n"
    #expect(report.output.contains(sentence), "\(report.output)\(report.errors)")
    #expect(report.output.matches(of: #/was down from|Nothing was decided/#).count == 1)
  }

  @Test func `programs get them as a list, in UTC`() throws {
    let json = try report("--json").output

    let facts = json.matches(
      of: #/"end": "\S+Z",\n +"seconds": (\d+),\n +"missed": (\d+),\n +"had_daemon": (\w+)/#)
    #expect(
      facts.map { "\($0.output.1) \($0.output.2) \($0.output.3)" }
        == ["3600 119 false", "654 13 false", "3600 0 true"], "\(json)")
    #expect(json.contains("\"lasting_outage\": null"))
  }

  @Test func `it does not say that nothing was missed where the ledger has forgotten it`() throws {
    try configure("[retention]\nnever_ran = \"1d\"")

    let (text, json) = (try report().output, try report("--json").output)

    #expect(
      text.contains(": what was missed is forgotten ('retention.never_ran').\n"), "\(text)")
    #expect(json.matches(of: #/"missed": null/#).count == 3, "\(json)")
  }

  @Test func `one that a clock noted which was ahead is not told`() throws {
    try database.connect().run(
      """
      INSERT INTO jobkit.outage (began_at, back_at, ended_at)
      SELECT base, now() + interval '10 years', now() + interval '10 years' FROM base
      """)

    #expect(try report().output.matches(of: #/was down from/#).count == 2)
  }

  @Test func `it does not say that the worker is down while one is there that decides nothing`()
    throws
  {
    try database.connect().run(
      script: """
        DELETE FROM jobkit.outage;
        UPDATE jobkit.job SET decided_until = date_trunc('minute', now()) - interval '2 h'
          WHERE name = 'settle_rewards';
        INSERT INTO jobkit.presence (seen_at) VALUES (now());
        INSERT INTO jobkit.daemon (name, host, process, version, settings_hash, jobs, started_at,
            seen_at, ready_at)
          VALUES ('db1:1:a', 'db1', 1, '1', 'aa', '{settle_rewards,deliver_pushes}', now(), now(), now());
        """)

    let (text, json) = (try report().output, try report("--json").output)

    let sentence =
      #/\nNothing was decided of 1[12]\d runs that came due since \S+ \S+, though the worker is there\.\n/#
    #expect(text.contains(sentence), "\(text)")
    #expect(!text.contains("down from") && !text.contains("been down"))
    #expect(json.contains(#/"undecided": 1[12]\d,\n +"had_daemon": true/#), "\(json)")
  }
}
