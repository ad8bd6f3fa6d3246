internal import Glibc
internal import JobKit
internal import Postgres
internal import TestSupport
internal import Testing

/// A database in which real daemons rehearse: a job of every second leaves a row for each of its chunks.
final class Rehearsal {
  let url: String
  private let job: String
  private let folder: ScratchFolder

  /// What must live as long as this.
  private let owner: AnyObject

  /// A rehearsal of one job, and of no other.
  init(of job: String = "rehearse") throws {
    let database = try TestDatabase.migrated()
    (url, owner, folder) = (database.url, database, try ScratchFolder())
    self.job = job
    try prepare()
  }

  init(on server: PrivateServer, database: String = "postgres") throws {
    (url, owner, folder) = (server.url(database: database), server, try ScratchFolder())
    job = "rehearse"
    try prepare()
    try #require(try start(["migrate", "up"]).status() == 0)
  }

  private func prepare() throws {
    try set("")
    try connect().run("CREATE TABLE rehearsal (moment timestamptz, part bigint, chunk bigint)")
  }

  /// Writes the settings of the daemons, with these for their jobs.
  func set(_ jobs: String, workers: Int = 2, statementTimeout: String = "30s") throws {
    try write(
      settings: """
        workers = \(workers)
        [database]
        url = "\(url)"
        statement_timeout = "\(statementTimeout)"
        [push]
        log = "\(folder.path)/pushes"
        \(jobs)

        """)
  }

  /// Runs a command to its end; returns all that was printed so far.
  func output(of words: String...) throws -> String {
    _ = try start(words).status()
    return log
  }

  /// Runs a command to its end; its streams are apart.
  func program(_ words: String...) throws -> Program { try program(words: words) }

  /// Runs a script in which $PROGRAM is the program and $FOLDER a folder of its own.
  func program(shell script: String) throws -> Program {
    try Program(
      shell: script,
      variables: [
        "WORKER_CONFIG": settingsFile, "WORKER_REHEARSAL": job, "FOLDER": folder.path,
        "TZDIR": TestEnvironment.zoneinfo, "PATH": "/usr/bin:/bin",
      ])
  }

  func program(words: [String]) throws -> Program {
    try Program(
      words: words,
      variables: [
        "WORKER_CONFIG": settingsFile, "WORKER_REHEARSAL": job, "TZDIR": TestEnvironment.zoneinfo,
      ], isRehearsal: true)
  }

  /// Runs a command to its end, as the build `version`; returns how it ended.
  func status(of words: String..., as version: String) throws -> Int32 {
    try status(of: words, as: version)
  }

  func status(of words: [String], as version: String) throws -> Int32 {
    try start(words, variables: ["WORKER_REHEARSAL_VERSION=\(version)"]).status()
  }

  /// Writes the file of settings that the daemons read.
  func write(settings: String) throws {
    try folder.write(settings, to: "worker.toml", mode: 0o644)
  }

  /// Where that file is.
  var settingsFile: String { "\(folder.path)/worker.toml" }

  /// Starts a daemon, which dies at `failpoint` when it comes there.
  func daemon(dyingAt failpoint: String? = nil) throws -> ChildProcess {
    try start(["daemon"], variables: failpoint.map { ["WORKER_FAILPOINT=\($0)"] } ?? [])
  }

  /// Starts a daemon of the build `version`.
  func daemon(of version: String) throws -> ChildProcess {
    try start(["daemon"], variables: ["WORKER_REHEARSAL_VERSION=\(version)"])
  }

  /// Starts a command.
  func start(_ words: [String], variables: [String] = []) throws -> ChildProcess {
    let own = [
      "WORKER_CONFIG=\(folder.path)/worker.toml", "WORKER_REHEARSAL=\(job)",
      "TZDIR=\(try TestEnvironment.zoneinfo)",
    ]
    return try ChildProcess(
      "/usr/bin/env", ["-i"] + own + variables + [try TestEnvironment.debugBinary] + words,
      output: "\(folder.path)/log")
  }

  private func connect() throws -> Connection { try Connection(to: Server(url)) }

  func run(_ statement: Statement) throws { try connect().run(statement) }

  /// The one number that a statement gives.
  func number(_ statement: Statement) throws -> Int { try connect().run(statement).only[0] }

  /// The one text that a statement gives.
  func text(_ statement: Statement) throws -> String { try connect().run(statement).only[0] }

  /// The pushes that the daemons have sent, a line each.
  var pushes: [Substring] {
    ((try? TextFile.read("\(folder.path)/pushes")) ?? "").split(separator: "\n")
  }

  /// What the daemons have logged.
  var log: String { (try? TextFile.read("\(folder.path)/log")) ?? "" }

  /// Waits until a line of the log has all these words, and returns it.
  func awaitLine(_ words: String...) throws -> String {
    var line: Substring?
    try eventually {
      line = log.split(separator: "\n").first { line in words.allSatisfy(line.contains) }
      return line != nil
    }
    return String(try #require(line))
  }

  /// Makes every chunk take as long as this, and the first of all fail when asked to.
  func slowDown(by seconds: Double, failingOnce: Bool) throws {
    try connect().run(
      script: """
        CREATE SEQUENCE attempt;
        CREATE FUNCTION rehearse_chunk() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            PERFORM pg_sleep(\(seconds));
            -- A sequence is not rolled back: it fails the first time and never again.
            IF \(failingOnce) AND nextval('public.attempt') = 1 THEN RAISE 'a mishap'; END IF;
            RETURN NEW;
          END $$;
        CREATE TRIGGER rehearse_chunk BEFORE INSERT ON rehearsal
          FOR EACH ROW EXECUTE FUNCTION rehearse_chunk();
        """)
  }

  /// Lets the leases of the dead run out, and what waits to be tried again be due, without waiting.
  func passTime() throws {
    try run("UPDATE jobkit.part SET lease_until = 'epoch' WHERE state = 'running'")
    try run("UPDATE jobkit.part SET not_before = 'epoch' WHERE state = 'due'")
  }

  /// Waits until a statement that counts gives at least so much.
  func wait(for least: Int, of statement: Statement) throws {
    let connection = try connect()
    do {
      try eventually { try connection.run(statement).only[0] >= least }
    } catch {
      Issue.record("waited in vain for \(least) of \(statement); the log says: \(log.suffix(2000))")
      throw error
    }
  }

  /// Waits until the server has done whatever a killed program had sent it, which may be to claim a part: it does so
  /// before it notices that nobody is there any more.
  ///
  /// Behind a pooler sessions outlive those who had them.
  func awaitEndOfSessions() throws {
    let isAtWork: Statement = try TestEnvironment.isPooled ? "state <> 'idle'" : "true"
    try wait(
      for: 1,
      of: """
        SELECT (count(*) = 0)::integer FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND \(isAtWork)
        """)
  }

  /// Waits until a chunk is in the middle of its work.
  func waitForChunk() throws {
    try wait(
      for: 1,
      of: """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'INSERT INTO public.rehearsal%'
          AND wait_event = 'PgSleep'
        """)
  }

  /// Lets a daemon go on for two runs and then come to rest; returns how it ended.
  func rest(_ daemon: ChildProcess) throws -> Int32 {
    try run("CREATE TABLE resting AS SELECT clock_timestamp() AS since")
    try wait(
      for: 2,
      of: """
        SELECT count(*) FROM jobkit.run, resting WHERE state = 'succeeded' AND scheduled_for > since
        """)
    try run(
      "UPDATE jobkit.job SET paused_at = 'epoch', paused_by = 'test', pause_reason = 'the end'")
    try wait(
      for: 1,
      of: """
        SELECT (count(*) FILTER (WHERE state IN ('due', 'held', 'running')) = 0)::integer
        FROM jobkit.run
        """)
    daemon.send(SIGTERM)
    return try daemon.status()
  }

  /// What was lost, doubled or left open, in words.
  func losses() throws -> [String] {
    let rows = try connect().run(
      """
      SELECT abs(extract(epoch FROM max(scheduled_for) - min(coalesce(first_tick, scheduled_for)))
        + 1 - sum(ticks))::bigint || ' ticks without one row' AS loss
      FROM jobkit.run HAVING sum(ticks) <> 1
        + extract(epoch FROM max(scheduled_for) - min(coalesce(first_tick, scheduled_for)))
      UNION ALL
      SELECT 'run ' || id || ' is ' || state FROM jobkit.run
      WHERE state IN ('due', 'held', 'running', 'failed')
      UNION ALL
      SELECT 'chunk ' || c || ' of part ' || p || ' of run ' || id || ' happened '
        || count(moment) || ' times'
      FROM jobkit.run CROSS JOIN generate_series(0, 1) AS p CROSS JOIN generate_series(1, 5) AS c
        LEFT JOIN rehearsal ON (moment, part, chunk) = (scheduled_for, p, c)
      WHERE state = 'succeeded' GROUP BY id, p, c HAVING count(moment) <> 1
      UNION ALL
      SELECT 'chunk ' || chunk || ' of part ' || part || ' at ' || moment || ' is one too many'
      FROM rehearsal WHERE chunk NOT BETWEEN 1 AND 5
      UNION ALL
      SELECT 'work at ' || moment || ' without a run' FROM rehearsal
      WHERE NOT EXISTS (SELECT FROM jobkit.run WHERE scheduled_for = moment AND state = 'succeeded')
      """)
    return try rows.map { try $0["loss"] }
  }
}
