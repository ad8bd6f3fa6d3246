import Postgres
import TestSupport
import Testing

/// The report as a product person reads it: the real program, a real database.
@Suite("The report")
struct ReportTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase.migrated()
    folder = try ScratchFolder()
    try folder.write("[database]\nurl = \"\(database.url)\"\n", to: "worker.toml")
    try database.connect().run(script: Self.rows)
  }

  private func report(_ words: [String]) throws -> Program {
    try Program(
      words: words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": TestEnvironment.zoneinfo,
      ])
  }

  /// A day of deliveries at each of its hours, of which two failed, one was late and one was run by hand for a
  /// moment of the past; and of settling, whose last run failed; and the day before.
  private static let rows = """
    INSERT INTO jobkit.job VALUES ('deliver_pushes', now() - interval '1 year', now()),
      ('settle_rewards', now() - interval '1 year', now());
    CREATE TABLE noon AS SELECT now() AS moment;
    WITH run AS (
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, parts_left,
        started_at, finished_at)
      SELECT 'deliver_pushes', at, CASE hour WHEN 9 THEN 'manual' ELSE 'schedule' END,
        CASE WHEN hour IN (3, 5) THEN 'failed' ELSE 'succeeded' END,
        at, 'test', 0, at + CASE WHEN hour IN (7, 9) THEN interval '2 min' ELSE interval '1 s' END,
        at + interval '3 min'
      FROM noon, generate_series(1, 36) AS hour, LATERAL (SELECT moment - hour * interval '1 h') AS a (at)
      RETURNING id, scheduled_for
    )
    INSERT INTO jobkit.part (run, number, job, state, not_before, finished_at, counter_names,
      counter_values)
    SELECT id, 0, 'deliver_pushes', 'succeeded', scheduled_for, scheduled_for,
      '{sent,sent/reminder,sent/follow_up}', '{100,60,40}' FROM run;
    INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, decided_at, decided_by, parts_left,
      started_at, finished_at, ticks, first_tick, fate)
    SELECT 'settle_rewards', moment - ago * interval '1 min', 'schedule', state, reason, moment, 'test', 0,
      CASE state WHEN 'failed' THEN moment - ago * interval '1 min' END, moment, ticks,
      CASE state WHEN 'collapsed' THEN moment - interval '100 min' END,
      CASE state WHEN 'collapsed' THEN 'missed' END
    FROM noon, (VALUES (10, 'failed', NULL, 1), (20, 'missed', 'nobody looked', 1),
      (40, 'collapsed', 'missed: nobody looked', 50), (5, 'skipped', 'paused by ana: no', 1)
    ) AS row (ago, state, reason, ticks);
    INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
    VALUES (1, 'Ana', 'UTC', now(), now());
    INSERT INTO learning.notifications (user_id, local_day, state, kind, zone, planned_at, sent_at)
    SELECT 1, current_date - day, 'sent', 'reminder', 'UTC', now(), now() FROM generate_series(0, 2) AS day;
    INSERT INTO learning.notification_events (user_id, local_day, event, at)
    SELECT 1, current_date - day, 'push_opened', moment - day * interval '8 h'
    FROM noon, generate_series(0, 2) AS day;
    """

  @Test func `a day says what ran, what failed and was fixed, beside the day before`() throws {
    let program = try report(["report", "--day"])

    #expect(program.exitCode == 0, "\(program.errors)")
    let blocks = program.output.split(separator: "\n\n")
    #expect(blocks.count == 5 && blocks[0].hasPrefix("The day from "))
    #expect(
      blocks[1] == """
        2 jobs ran 24 times, 1 of them more than a minute late.
        3 runs failed: 1 not fixed yet (settle_rewards).
        Not run: 51 missed because the worker was down or busy, 1 skipped on purpose.
        """)
    #expect(
      blocks[2] == """
        job             ran  before  late  failed  fixed  missed  skipped
        deliver_pushes  23   13      1     2       2
        settle_rewards  1    0             1              51      1
        """)
    #expect(program.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `what came of it for learners is a table with shares and the change`() throws {
    let program = try report(["report", "--day"])

    let blocks = program.output.split(separator: "\n\n")
    #expect(
      blocks[3] == """
        for learners                    now    share   before  change
        Pushes        sent              2,300          1,300   +76.9 %
                      opened            3      0.1 %   0       new
                      reminders sent    1,380  60.0 %  780     +76.9 %
                      reminders opened  3      0.2 %   0       new
                      follow-ups sent   920    40.0 %  520     +76.9 %
        """)
    #expect(
      blocks[4].hasPrefix(
        """
        Streaks: nothing
        Rewards: nothing
        Leaderboards: nothing; there are none yet

        """))
  }

  @Test func `streaks are what all jobs together have done to them`() throws {
    try database.connect().run(
      script: """
        INSERT INTO jobkit.job VALUES ('detect_streak_breaks', now(), now());
        UPDATE jobkit.run SET state = 'succeeded' WHERE job = 'settle_rewards' AND state = 'failed';
        INSERT INTO jobkit.part (run, number, job, state, not_before, finished_at, counter_names,
          counter_values)
        SELECT id, 0, job, 'succeeded', scheduled_for, scheduled_for, '{settled,extended,replayed}',
          '{9,7,5000}'
        FROM jobkit.run WHERE job = 'settle_rewards' AND state = 'succeeded';
        """)

    let output = try report(["report", "--day"]).output

    #expect(output.contains("Streaks       days added"))
    #expect(output.contains(" 7 ") && !output.contains("5,0"))
  }

  @Test func `a week is not compared with one that the ledger has forgotten`() throws {
    try folder.write(
      "[database]\nurl = \"\(database.url)\"\n[retention]\nsucceeded = \"10d\"\n", to: "worker.toml"
    )

    let program = try report(["report", "--week"])

    #expect(
      program.output.contains(
        "There is no comparison: successes are kept for 10 d ('retention.succeeded')."))
    #expect(program.output.contains("deliver_pushes  36   -       1"))
  }

  @Test func `a week is not compared with one in which no job was scheduled`() throws {
    try database.connect().run("UPDATE jobkit.job SET known_since = now()")

    let program = try report(["report", "--week"])

    #expect(program.output.contains("There is no comparison: no job was scheduled here before 2"))
  }

  @Test func `jobs that did not run are not counted among those that ran`() throws {
    try database.connect().run(
      script:
        "DELETE FROM jobkit.part; DELETE FROM jobkit.run WHERE job = 'deliver_pushes' OR state = 'failed'"
    )

    #expect(try report(["report"]).output.contains("No job ran.\n"))
  }

  @Test func `it fits one screen and speaks plainly`() throws {
    let text = try report(["report"]).output

    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
    for word in ["part", "epoch", "tick", "lease", "fence", "null"] {
      #expect(!text.contains(word), "\(word)")
    }
  }

  @Test func `Markdown is for a chat, JSON for machines`() throws {
    let markdown = try report(["report", "--day", "--markdown"]).output
    let json = try report(["report", "--day", "--json"]).output

    #expect(markdown.hasPrefix("## The day from "))
    #expect(markdown.contains("| deliver_pushes | 23 | 13 | 1 | 2 | 2 | 0 | 0 |"))
    #expect(json.contains("\"fixed\": 2") && json.contains("\"sent\": 2300"))
  }

  @Test(arguments: [
    (
      ["--day", "--week"],
      "worker: '--week' is one period too many: name one; 'worker report --help' shows what can be written\n"
    ),
    (
      ["--from", "2025-01-01", "--to", "2026-01-01"],
      "worker: '--from 2025-01-01': a report is of 92 days at most; 'worker report --help'"
        + " shows what can be written\n"
    ),
    (
      ["--to", "2026-01-01"],
      "worker: '--from WHEN' is missing; 'worker report --help' shows what can be written\n"
    ),
  ])
  func `a time that cannot be reported on is refused`(words: [String], refusal: String) throws {
    let program = try report(["report"] + words)

    #expect(program.exitCode == 64)
    #expect(program.errors == refusal)
  }
}
