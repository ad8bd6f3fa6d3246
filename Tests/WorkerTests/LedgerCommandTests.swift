import Postgres
import TestSupport
import Testing

/// The commands that speak with the ledger, as a user meets them: the real program, a real database.
@Suite("The ledger's commands")
struct LedgerCommandTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    try self.init(in: TestDatabase())
  }

  private init(in database: TestDatabase) throws {
    self.database = database
    folder = try ScratchFolder()
    let settings = "[database]\nurl = \"\(database.url)\"\n[jobs.rehearse]\ntries = 1\n"
    _ = try folder.write(settings, to: "worker.toml", mode: 0o644)
    try database.connect().run(
      """
      CREATE TABLE rehearsal (moment timestamptz, part bigint, chunk bigint,
        PRIMARY KEY (moment, part, chunk))
      """)
  }

  private func worker(_ words: String...) throws -> Program { try worker(words) }

  private func worker(_ words: [String]) throws -> Program {
    try Program(
      words: words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "WORKER_REHEARSAL": "rehearse",
        "USER": "ana",
        "TZDIR": TestEnvironment.zoneinfo,
      ], isRehearsal: true)
  }

  private func migrated() throws -> Self { try Self(in: .migrated()) }

  @Test func `without the schema every command says how to make it`() throws {
    for words in [["jobs"], ["runs"], ["ps"], ["show", "1"], ["run", "rehearse"]] {
      let program = try worker(words)
      #expect(
        program.errors
          == "worker: \(MigrationStep.allMissing): run 'worker migrate up'\n")
      #expect(program.exitCode == 75)
    }
  }

  @Test func `migrate status complains of what is missing, beside its table`() throws {
    let status = try worker("migrate", "status")

    #expect(status.output.count { $0 == "\n" } == MigrationStep.names.count + 1)
    #expect(
      status.errors
        == "worker: \(MigrationStep.allMissing): run 'worker migrate up'\n")
    #expect(status.exitCode == 75)
  }

  @Test func `migrate up applies what is missing, once`() throws {
    #expect(try worker("migrate", "status").exitCode == 75)
    #expect(try worker("migrate", "up").output == MigrationStep.lines("applied"))
    #expect(try worker("migrate", "up").output == "the schema is up to date\n")
    #expect(try worker("migrate", "status").exitCode == 0)
  }

  @Test func `a run by hand works, is written down and ends with 0`() throws {
    let stage = try migrated()

    let run = try stage.worker("run", "rehearse", "--for", "2026-03-01T10:00:00Z")
    let shown = try stage.worker("runs", "--json")

    #expect(run.output.contains("run 1 succeeded in "))
    #expect(run.output.hasSuffix(": chunks 10\n"))
    #expect(run.exitCode == 0)
    #expect(shown.output.contains(#""scheduled_for": "2026-03-01T10:00:00Z""#))
    #expect(shown.output.contains(#""decided_by": "ana@"#))
    #expect(try stage.effects() == 10)
  }

  @Test func `what is still to come is not run, but may be tried dry`() throws {
    let stage = try migrated()

    let run = try stage.worker("run", "rehearse", "--for", "2999-01-01T00:00:00Z")
    let dry = try stage.worker("run", "rehearse", "--for", "2999-01-01T00:00:00Z", "--dry-run")

    #expect(
      run.errors
        == "worker: 'rehearse' cannot be run for 2999-01-01T00:00:00Z, which lies in the future: write"
        + " --for with an instant that has passed; --dry-run shows what a run for then would do with the"
        + " data of now\n")
    #expect(run.exitCode == 75 && dry.exitCode == 0)
  }

  @Test func `a job is found in any spelling, and a slip is answered with the nearest name`() throws
  {
    let stage = try migrated()

    let spelled = try stage.worker("pause", "scheduleDailyPush", "--reason", "a test")
    let slip = try stage.worker("run", "schedule_daly_push")

    #expect(spelled.output.contains(#/^schedule_daily_push is paused by \S+@\S+: a test\n/#))
    #expect(slip.errors.contains("did you mean 'schedule_daily_push'?"))
    #expect(slip.exitCode == 64)
  }

  @Test func `a run that fails ends with 1 and says why, once`() throws {
    let stage = try migrated()
    try stage.database.connect().run("DROP TABLE rehearsal")

    let run = try stage.worker("run", "rehearse")

    let reason = "relation \"public.rehearsal\" does not exist"
    let said = (run.output + run.errors).split(separator: reason)
    #expect(run.output.hasPrefix("run 1 failed in ") && said.count == 2, "\(run.errors)")
    #expect(run.exitCode == 1)
  }

  @Test func `a paused job is refused, with who paused it and why, unless forced`() throws {
    let stage = try migrated()
    _ = try stage.worker("pause", "rehearse", "--reason", "an incident")

    let refused = try stage.worker("run", "rehearse")
    let forced = try stage.worker("run", "rehearse", "--force", "--reason", "ana says so")
    let resumed = try stage.worker("resume", "rehearse")

    #expect(refused.errors.contains("'rehearse' is paused by ana@"))
    #expect(refused.errors.contains(": an incident; 'worker resume rehearse' lets it go on"))
    #expect(refused.exitCode == 75)
    #expect(forced.exitCode == 0)
    #expect(
      resumed.output
        == "rehearse goes on as soon as a daemon runs; none with code for it is alive\n")
  }

  @Test func `a run beside another of its job is refused, with who runs it`() throws {
    let stage = try migrated()
    try stage.occupy()

    let refused = try stage.worker("run", "rehearse")

    #expect(
      refused.errors.contains(#/'rehearse' runs already: run 1 on another:1 since [0-9T:-]+Z;/#))
    #expect(refused.errors.contains("end it with 'worker cancel 1'"))
    #expect(refused.exitCode == 75)
  }

  @Test func `cancel and retry say what they did, and refuse what is over`() throws {
    let stage = try migrated()
    _ = try stage.worker("run", "rehearse")

    #expect(try stage.worker("cancel", "1").exitCode == 75)
    #expect(try stage.worker("retry", "1").exitCode == 75)
    #expect(try stage.worker("show", "7").exitCode == 65)
  }

  @Test func `a backfill says what it would run, enters it, and enters nothing twice`() throws {
    let stage = try migrated()
    let range = ["--from", "2026-03-01T10:00:00Z", "--to", "2026-03-01T10:00:03Z"]

    let all = ["backfill", "rehearse", "--reprocess", "all"] + range
    let forgotten = try stage.worker(["backfill", "rehearse"] + range)
    let dry = try stage.worker(all + ["--dry-run"])
    let entered = try stage.worker(all)
    let twice = try stage.worker(all)
    let one = try stage.worker(
      "backfill", "rehearse", "--reprocess", "all", "--from", "2026-03-01T10:00:03Z", "--to",
      "2026-03-01T10:00:04Z")
    let future = try stage.worker(
      "backfill", "rehearse", "--from", "2026-03-01T10:00:00Z", "--to", "2126-03-01T10:00:00Z")

    let ticks = "3 of 3 ticks, 2026-03-01T10:00:00Z to 2026-03-01T10:00:02Z"
    #expect(forgotten.errors.contains("the ledger remembers what 'rehearse' did since"))
    #expect(forgotten.exitCode == 65)
    #expect(dry.output == "would run \(ticks)\n")
    #expect(entered.output.hasPrefix("entered \(ticks), as runs 1 to 3\n"))
    #expect(one.output.contains(", as run 4\n"))
    #expect(twice.output == "none of 3 ticks is to be run\n")
    #expect(future.errors.contains("must lie after --from") && future.exitCode == 64)
  }

  @Test func `a held run is told of everywhere, and goes on when somebody approves of it`() throws {
    let stage = try migrated()
    try stage.occupy()
    try stage.database.connect().run(
      script: """
        UPDATE jobkit.part SET state = 'due', daemon = NULL, lease_until = NULL;
        UPDATE jobkit.run SET state = 'held', planned = 812, reason = 'would touch 812, more than 100';
        """)

    let jobs = try stage.worker("jobs")
    let why = try stage.worker("why", "rehearse")
    let shown = try stage.worker("show", "1")
    let approved = try stage.worker("approve", "1")
    let after = try stage.worker("show", "1", "--json")

    #expect(jobs.output.contains("run 1 is held: 'worker show 1' says why"))
    #expect(
      why.output.contains("it would touch 812, more than 100: 'worker approve 1' lets it go on"))
    #expect(shown.output.contains("'worker approve 1' lets it go on, 'worker cancel 1' ends it"))
    #expect(approved.output.hasPrefix("run 1 is due, approved by ana@"))
    #expect(after.output.contains(#""state": "due""#))
    #expect(after.output.contains(#""approved_by": "ana@"#))
  }

  @Test func `what a command has done is told to machines as well`() throws {
    let stage = try migrated()
    try stage.occupy()

    for (words, member) in [
      (["pause", "rehearse", "--reason", "a test"], #""reason": "a test""#),
      (["why", "rehearse"], #""says": ["#), (["resume", "rehearse"], #""was_paused": true"#),
      (["why", "rehearse", "--at", "2100-01-01T00:00:00Z"], #""tick": "20"#),
      (["cancel", "1"], #""run": 1"#),
    ] {
      let program = try stage.worker(words + ["--json"])
      #expect(program.output.hasPrefix("{") && program.output.contains(member), "\(words)")
    }
  }

  @Test func `approving what is not held is refused`() throws {
    let stage = try migrated()
    try stage.occupy()

    let refused = try stage.worker("approve", "1")

    #expect(refused.errors == "worker: run 1 is not held: 'worker show 1' tells\n")
    #expect(refused.exitCode == 75)
  }

  private func effects() throws -> Int {
    try database.connect().run("SELECT count(*) AS n FROM rehearsal").only["n"]
  }

  /// Enters a run that another worker holds.
  private func occupy() throws {
    try database.connect().run(
      script: """
        INSERT INTO jobkit.job (name, known_since, decided_until) VALUES ('rehearse', now(), now())
          ON CONFLICT DO NOTHING;
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, started_at)
          VALUES ('rehearse', now(), 'manual', 'running', now(), 'another', now());
        INSERT INTO jobkit.part (run, number, job, state, not_before, daemon, lease_until)
          VALUES (1, 0, 'rehearse', 'running', now(), 'another:1', now() + interval '1 hour');
        """)
  }
}
