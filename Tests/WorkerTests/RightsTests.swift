import JobKit
import Jobs
import LocalTime
import Migrations
import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// What somebody can do who has stolen the password of the worker's role, or of the reader's.
@Suite("What the roles may not do")
struct RightsTests {
  private let server: PrivateServer
  private let owner: PrivateServer.Owned

  init() throws {
    server = try PrivateServer()
    owner = PrivateServer.Owned(server)
    try owner.prepare()
  }

  /// The SQLSTATE with which a statement is refused; nothing when it is not.
  private func refusal(of statement: String, as role: String) throws -> String? {
    let connection = try Connection(to: Server(server.url(user: role)))
    do throws(PostgresError) {
      try connection.run(script: statement)
      return nil
    } catch {
      return error.report?.sqlState ?? "\(error)"
    }
  }

  private func expectRefused(_ statements: [String], as role: String) throws {
    for statement in statements {
      #expect(try refusal(of: statement, as: role) == "42501", "\(role): \(statement)")
    }
  }

  @Test(arguments: ["app_worker", "app_reader"])
  func `no table of either schema can be dropped, altered, emptied or built upon`(
    role: String
  ) throws {
    for table in try owner.tables() {
      try expectRefused(
        [
          "DROP TABLE \(table)", "ALTER TABLE \(table) ADD mine bigint", "TRUNCATE \(table)",
          "ALTER TABLE \(table) DISABLE TRIGGER ALL", "ALTER TABLE \(table) OWNER TO \(role)",
          "COMMENT ON TABLE \(table) IS 'mine'", "REINDEX TABLE \(table)",
          "CREATE INDEX ON \(table) ((1))",
          "CREATE RULE mine AS ON INSERT TO \(table) DO INSTEAD NOTHING",
          "CREATE TRIGGER mine BEFORE INSERT ON \(table) EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        ], as: role)
    }
  }

  @Test(arguments: ["app_worker", "app_reader"])
  func `nothing outside the two schemas is in reach`(role: String) throws {
    let backend = try owner.connection()
    let process: Int = try backend.run("SELECT pg_backend_pid()").only[0]
    try expectRefused(
      [
        "CREATE TABLE jobkit.mine (n bigint)", "CREATE TABLE learning.mine (n bigint)",
        "CREATE TABLE public.mine (n bigint)", "CREATE SCHEMA mine", "CREATE DATABASE mine",
        "CREATE FUNCTION jobkit.mine() RETURNS bigint LANGUAGE sql AS 'SELECT 1'",
        "CREATE VIEW learning.mine AS SELECT 1", "CREATE EXTENSION pgcrypto",
        "DROP SCHEMA jobkit CASCADE", "ALTER SCHEMA learning RENAME TO mine",
        "DROP FUNCTION learning.note_transaction() CASCADE", "SELECT pg_read_file('PG_VERSION')",
        "SELECT pg_ls_dir('.')", "SELECT lo_import('/etc/hostname')",
        "COPY jobkit.job TO PROGRAM 'cat'", "COPY jobkit.job FROM PROGRAM 'true'",
        "COPY jobkit.job TO '/tmp/mine'", "SELECT * FROM pg_authid", "SELECT * FROM pg_shadow",
        "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()", "CREATE ROLE mine",
        "ALTER ROLE \(role) SUPERUSER", "SET ROLE postgres", "GRANT postgres TO \(role)",
        "SELECT pg_terminate_backend(\(process))", "SELECT * FROM public.customers",
        "SELECT pg_create_physical_replication_slot('mine')",
        "CREATE PUBLICATION mine FOR ALL TABLES", "SELECT jobkit.request('sample')",
      ], as: role)
    #expect(
      try backend.run(
        """
        SELECT count(*) FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
        WHERE prosecdef AND nspname IN ('jobkit', 'learning') AND proname <> 'request'
        """
      ).only[0] == 0, "a function that runs as its owner lends the owner's rights")
  }

  @Test(arguments: ["app_worker", "app_reader"])
  func `what another database holds stays there`(role: String) throws {
    let backend = try owner.connection()
    try backend.run("CREATE DATABASE elsewhere")
    try Connection(to: Server(server.url(database: "elsewhere")))
      .run(script: "CREATE TABLE ledger_of_others AS SELECT 1 AS n")

    let error = #expect(throws: PostgresError.self) {
      try Connection(to: Server(server.url(database: "elsewhere", user: role)))
        .run("SELECT * FROM ledger_of_others")
    }

    #expect(error?.isForbidden == true)
  }

  @Test func `the worker writes nothing that the app writes, but what became of it`() throws {
    for table in ["users", "sessions", "patterns", "attempts", "devices", "reward_pending"] {
      let columns = try owner.columns(of: "learning.\(table)").filter {
        !(Self.written[table] ?? []).contains($0)
      }
      try expectRefused(
        ["INSERT INTO learning.\(table) DEFAULT VALUES"]
          + (table == "devices" ? [] : ["DELETE FROM learning.\(table)"])
          + columns.map { "UPDATE learning.\(table) SET \($0) = NULL" }, as: "app_worker")
    }
  }

  private static let written = [
    "devices": ["invalidated_at", "invalid_reason"],
    "reward_pending": ["state", "reason", "settled_at"],
  ]

  @Test func `the worker cannot rewrite what was decided, by whom, and what was migrated`() throws {
    let fixed = [
      "job": ["name", "known_since"], "run_basis": ["run", "text_hash", "seen_in"],
      "run": [
        "job", "scheduled_for", "trigger", "ticks", "first_tick", "exclusive", "parts", "percent",
        "decided_at", "decided_by", "argument_names", "argument_values",
      ],
      "part": ["run", "number", "job", "priority"], "schedule": ["job", "since"],
      "daemon": ["name", "host", "process", "version", "jobs", "started_at", "by_hand"],
      "watermark": ["job", "parts", "part"], "job_text": ["job", "text"],
    ]
    for (table, columns) in fixed {
      try expectRefused(
        columns.map { "UPDATE jobkit.\(table) SET \($0) = NULL" }, as: "app_worker")
    }
    try expectRefused(
      [
        "DELETE FROM jobkit.job", "DELETE FROM jobkit.schedule", "DELETE FROM jobkit.migration",
        "DELETE FROM jobkit.watermark", "UPDATE jobkit.migration SET checksum = ''",
        "DELETE FROM jobkit.run_basis", "DELETE FROM learning.migration",
        "INSERT INTO jobkit.migration SELECT * FROM jobkit.migration",
        "UPDATE learning.migration SET works_with = 0",
      ], as: "app_worker")
  }

  @Test func `the reader writes nothing anywhere, and sees no address of a device`() throws {
    for table in try owner.tables() {
      let column = try #require(try owner.columns(of: table).first)
      try expectRefused(
        [
          "INSERT INTO \(table) DEFAULT VALUES", "DELETE FROM \(table)",
          "UPDATE \(table) SET \(column) = DEFAULT",
          "DO $$ BEGIN LOCK TABLE \(table) IN SHARE MODE; END $$",
          "SELECT FROM \(table) FOR UPDATE",
        ], as: "app_reader")
    }
    try expectRefused(
      ["SELECT token FROM learning.devices", "SELECT * FROM learning.devices"], as: "app_reader")
    #expect(
      try refusal(of: "SELECT device_id, provider FROM learning.devices", as: "app_reader") == nil)
  }

  @Test func `no lock that anybody waits for is one that a reader can take`() throws {
    try expectRefused(
      [
        "BEGIN; LOCK TABLE jobkit.migration IN SHARE ROW EXCLUSIVE MODE",
        "BEGIN; LOCK TABLE learning.migration IN SHARE ROW EXCLUSIVE MODE",
        "BEGIN; LOCK TABLE jobkit.message IN SHARE UPDATE EXCLUSIVE MODE",
        "BEGIN; LOCK TABLE learning.leaderboards IN ROW EXCLUSIVE MODE",
        "SELECT FROM learning.notifications FOR UPDATE", "SELECT FROM jobkit.part FOR KEY SHARE",
      ], as: "app_reader")
    // Numbers, which everybody may lock, are locked nowhere.
    let found = try Program(
      shell: "! grep -rl pg_.*advisory Sources", variables: ["PATH": "/usr/bin:/bin"])
    #expect(found.output == "" && found.exitCode == 0)
  }

  @Test func `every job runs as the worker's role, and is explained to the reader's`() throws {
    let folder = try ScratchFolder()
    func program(_ words: [String], as role: String) throws -> Program {
      let settings =
        "[database]\nurl = \"\(server.url(user: role))\"\n[push]\nlog = \"\(folder.path)/pushes\"\n"
      let file = try folder.write(settings, to: "worker.toml", mode: 0o644)
      return try Program(
        words: words,
        variables: ["WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo, "USER": "ana"])
    }
    let demo = try program(["demo", "data", "--learners", "60", "--days", "14"], as: "postgres")
    try #require(demo.exitCode == 0, "\(demo.errors)")

    for job in learningDefinitions {
      let run = try program(["run", job.name.text, "--json"], as: "app_worker")
      #expect(run.exitCode == 0, "\(job.name): \(run.output) \(run.errors)")
    }
    let words = [
      ["why", "schedule_daily_push", "--user", "1"],
      ["why", "detect_streak_breaks", "--user", "1"],
      ["forecast", "schedule_daily_push"], ["daemons"], ["runs"], ["jobs"],
    ]
    for words in words {
      let look = try program(words, as: "app_reader")
      #expect(look.exitCode == 0, "\(words): \(look.errors)")
    }
  }
}

extension PrivateServer {
  /// What the owner of such a server makes and knows.
  struct Owned {
    private let server: PrivateServer

    init(_ server: PrivateServer) { self.server = server }

    func connection() throws -> Connection { try server.connect() }

    /// Makes both schemas, the two roles, and what is none of theirs.
    func prepare() throws {
      let connection = try connection()
      try connection.run(
        script: """
          CREATE ROLE app_worker LOGIN; CREATE ROLE app_reader LOGIN;
          CREATE TABLE public.customers AS SELECT 'a secret' AS address;
          """)
      try ProgramSchemas.migrate(
        by: "test", at: LedgerClock.database.now(on: connection), on: connection)
      for schema in ProgramSchemas.all {
        try schema.grant(LedgerRoles(worker: "app_worker", reader: "app_reader"), on: connection)
      }
    }

    /// Every table of both schemas, with its schema.
    func tables() throws -> [String] {
      try connection().run(
        """
        SELECT schemaname || '.' || tablename AS name FROM pg_tables
        WHERE schemaname IN ('jobkit', 'learning') ORDER BY 1
        """
      ).map { try $0["name", as: String.self] }
    }

    /// The columns of a table that can be named in an UPDATE.
    func columns(of table: String) throws -> [String] {
      try connection().run(
        """
        SELECT attname::text AS name FROM pg_attribute
        WHERE attrelid = \(table)::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = ''
        ORDER BY attnum
        """
      ).map { try $0["name", as: String.self] }
    }
  }
}
