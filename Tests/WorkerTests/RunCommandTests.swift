import Postgres
import TestSupport
import Testing

/// What `worker run` does and tells, with the real program on a real database.
@Suite("worker run")
struct RunCommandTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase.migrated()
    folder = try ScratchFolder()
    try set(workers: 4)
    try database.connect().run(
      "CREATE TABLE rehearsal (moment timestamptz, part bigint, chunk bigint)")
  }

  private func set(workers: Int) throws {
    try folder.write(
      "workers = \(workers)\n[database]\nurl = \"\(database.url)\"\n", to: "worker.toml",
      mode: 0o644)
  }

  private func worker(_ words: String...) throws -> Program { try worker(words: words) }

  private func worker(words: [String]) throws -> Program {
    try worker(shell: #""$PROGRAM" "$@""#, words: words)
  }

  /// Runs a line of shell; what it finds is what a rehearsal finds.
  private func worker(shell line: String, words: [String] = []) throws -> Program {
    try Program(
      shell: line, words: words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "WORKER_REHEARSAL": "rehearse",
        "TZDIR": TestEnvironment.zoneinfo, "TERM": "dumb", "PATH": "/usr/bin:/bin",
      ], isRehearsal: true)
  }

  @Test func `a reader who has seen enough does not end the run`() throws {
    let run = try worker(
      shell: #"{ ("$PROGRAM" run rehearse 2>&1; echo $? >&2) | head -n 1; }"#)

    #expect(run.output == "note: run 1 of rehearse\n")
    #expect(run.errors == "0\n")
    #expect(try database.connect().run("SELECT count(*) FROM rehearsal").only[0] == 10)
  }

  @Test func `a terminal that cannot empty a line is shown lines that stay`() throws {
    let shown = try worker(
      shell: #"{ script -qec '"$PROGRAM" run rehearse' /dev/null </dev/null; }"#)

    #expect(shown.output.contains("run 1 succeeded in "))
    #expect(!shown.output.contains("\u{1B}"))
  }

  @Test func `a run by hand is over when the parts that others work at are`() throws {
    // The second part is claimed by somebody else before anybody sees it, and is lost after a second.
    try database.connect().run(
      script: """
        CREATE FUNCTION take() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          NEW.state := 'running'; NEW.daemon := 'elsewhere'; NEW.epoch := 1;
          NEW.lease_until := clock_timestamp() + interval '1 second';
          RETURN NEW;
        END $$;
        CREATE TRIGGER taken BEFORE INSERT ON jobkit.part FOR EACH ROW WHEN (NEW.number = 1)
          EXECUTE FUNCTION take()
        """)

    let run = try worker("run", "rehearse")

    #expect(run.output.hasPrefix("run 1 succeeded in "))
    #expect(run.exitCode == 0)
    #expect(try database.connect().run("SELECT count(*) FROM rehearsal").only[0] == 10)
  }

  @Test(arguments: [(workers: 1, atOnce: 1), (2, 2), (4, 2)])
  func `as many parts of a run go on at once as the settings have workers`(
    workers: Int, atOnce: Int
  ) throws {
    try set(workers: workers)
    // Each part waits at its first chunk until as many go on as are expected, or for ten seconds.
    try database.connect().run(
      script: """
        CREATE TABLE seen (parts integer);
        CREATE FUNCTION meet() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE running integer; BEGIN
          FOR turn IN 1..1000 LOOP
            SELECT count(*) INTO running FROM jobkit.part WHERE state = 'running';
            EXIT WHEN running >= \(atOnce);
            PERFORM pg_sleep(0.01);
          END LOOP;
          INSERT INTO public.seen VALUES (running);
          RETURN NEW;
        END $$;
        CREATE TRIGGER meet BEFORE INSERT ON rehearsal FOR EACH ROW WHEN (NEW.chunk = 1)
          EXECUTE FUNCTION meet()
        """)

    let run = try worker("run", "rehearse")

    #expect(run.exitCode == 0)
    #expect(try database.connect().run("SELECT max(parts) FROM seen").only[0] == atOnce)
    #expect(try database.connect().run("SELECT count(*) FROM rehearsal").only[0] == 10)
  }

  @Test func `when one of the parts at once fails, the others end and the run has failed`() throws {
    try database.connect().run(
      script: """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE 'a mishap'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON rehearsal FOR EACH ROW WHEN (NEW.part = 0)
          EXECUTE FUNCTION refuse()
        """)
    try folder.write(
      "[database]\nurl = \"\(database.url)\"\n[jobs.rehearse]\ntries = 1\n", to: "worker.toml",
      mode: 0o644)

    let run = try worker("run", "rehearse")

    #expect(run.output.hasPrefix("run 1 failed in "))
    #expect(run.exitCode == 1)
    #expect(try database.connect().run("SELECT count(*) FROM rehearsal").only[0] == 5)
  }

  @Test(
    arguments: [
      ["audit", "--from", "2026-03-01"], ["runs", "--since", "2026-03-01"],
      [
        "backfill", "rehearse", "--from", "2026-03-01", "--to", "2026-03-01T00:01:00Z",
        "--reprocess",
        "all", "--dry-run",
      ],
    ])
  func `a moment of the past may be a local date`(words: [String]) throws {
    let program = try worker(words: words)

    #expect(program.exitCode == 0, "\(program.errors)")
  }

  @Test(
    arguments: [
      (
        ["runs", "--state", "fail"],
        "'--state fail': write one of waiting, due, held, running, succeeded, failed, cancelled,"
          + " skipped, missed, collapsed; 'worker runs --help' shows what can be written"
      ),
      (
        ["why", "rehearse", "--user", "17", "--at", "2026-03-01T00:00:00Z"],
        "'--at 2026-03-01T00:00:00Z': of a learner --day names the day, not --at;"
          + " 'worker why --help' shows what can be written"
      ),
    ])
  func `a question that would be misunderstood is refused`(words: [String], sentence: String) throws
  {
    let refused = try worker(words: words)

    #expect(refused.errors == "worker: \(sentence)\n")
    #expect(refused.exitCode == 64)
  }

  @Test func `of a tick that is still to come it says so`() throws {
    _ = try worker("run", "rehearse")

    let said = try worker("why", "rehearse", "--at", "2100-01-01T00:00:00Z").output

    #expect(
      said.hasPrefix(
        "rehearse in UTC\n2100-01-01 00:00 is still to come; the newest tick so far:\nthe tick of ")
    )
    #expect(said.contains(" has no row: "), "what was run by hand is no tick: \(said)")
  }

  @Test(arguments: ["cancel", "retry", "approve"])
  func `a run that is not there is not taken for one that cannot be changed`(command: String) throws
  {
    let refused = try worker(command, "99")

    #expect(
      refused.errors == "worker: there is no run 99: 'worker runs' lists the newest; old ones are"
        + " deleted after a while\n")
    #expect(refused.exitCode == 65)
  }

  @Test func `a dry run says what would change in which table, and keeps nothing`() throws {
    let run = try worker("run", "rehearse", "--dry-run")

    #expect(
      run.output == """
        part 0 (of 2): would succeed: rehearsed (chunks 5)
          would insert 5 rows in public.rehearsal
        part 1 (of 2): would succeed: rehearsed (chunks 5)
          would insert 5 rows in public.rehearsal
        nothing of this was kept: it was a dry run

        """)
    #expect(run.exitCode == 0)
    #expect(try database.connect().run("SELECT count(*) FROM rehearsal").only[0] == 0)
    #expect(try worker("runs").output == "there is no run yet\n")
  }

  @Test func `a dry run tells machines the same`() throws {
    let run = try worker("run", "rehearse", "--dry-run", "--json")

    #expect(run.output.hasPrefix("{\n  \"job\": \"rehearse\",\n"))
    #expect(
      run.output.contains(
        """
              "changes": [
                {
                  "table": "public.rehearsal",
                  "inserted": 5,
                  "updated": 0,
                  "deleted": 0
                }
              ],
        """))
    #expect(run.output.hasSuffix("  \"last_succeeded\": null\n}\n"))
    #expect(run.exitCode == 0)
  }

  @Test func `a dry run that would fail says why, and changes nothing`() throws {
    try database.connect().run("DROP TABLE rehearsal")

    let run = try worker("run", "rehearse", "--dry-run")

    #expect(run.output.hasPrefix("part 0 (of 2): would fail: "))
    #expect(run.output.contains("relation \"public.rehearsal\" does not exist"))
    #expect(!run.output.contains("would insert"))
    #expect(run.exitCode == 1)
  }
}
