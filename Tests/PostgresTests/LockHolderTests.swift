import Postgres
import TestSupport
import Testing

/// Who is named as the one who holds a lock that was not had in time.
@Suite("Who holds a lock")
struct LockHolderTests {
  private let database: TestDatabase
  private let schema: String

  init() throws {
    database = try TestDatabase()
    let connection = try database.connect()
    schema = try connection.value("SELECT current_schema()::text")
    try connection.run(
      script: """
        CREATE TABLE run (id bigint);
        CREATE TABLE run_basis (id bigint);
        CREATE TABLE "odd.name" (id bigint);
        """)
  }

  @Test(arguments: [
    ("UPDATE SCHEMA.run SET id = 1", true), ("UPDATE run SET id = 1", true),
    ("SELECT 1 FROM ONLY \"SCHEMA\".\"run\" x", true), ("UPDATE run_basis SET id = 1", false),
    ("UPDATE other.run SET id = 1", false), ("UPDATE overrun SET id = 1", false),
  ])
  func `it is a session with a lock on a table that is named whole`(
    words: String, isNamed: Bool
  ) throws {
    let holder = try database.connect()
    try holder.run(script: "BEGIN; LOCK TABLE run IN SHARE MODE")

    let named = try lockHolder(of: words.replacing("SCHEMA", with: schema))

    #expect((named != nil) == isNamed, "\(named ?? "nobody")")
  }

  private func lockHolder(of words: String) throws -> String? {
    try database.connect().lockHolder(of: words)?.account
  }

  @Test func `a name of any characters is found`() throws {
    let holder = try database.connect()
    try holder.run(script: "BEGIN; LOCK TABLE \"odd.name\" IN SHARE MODE")

    let named = try lockHolder(of: "UPDATE \"odd.name\" SET id = 1")

    #expect(named?.contains("which has a lock on '\(schema).odd.name'") == true)
  }

  @Test func `one that only refers to rows of it comes last`() throws {
    let reader = try database.connect()
    let writer = try database.connect()
    try reader.run(script: "BEGIN; SELECT FROM run FOR KEY SHARE")
    let alone = try lockHolder(of: "UPDATE run SET id = 1")
    try writer.run(script: "BEGIN; INSERT INTO run VALUES (1)")
    let process: Int = try writer.value("SELECT pg_backend_pid()::bigint")

    let named = try lockHolder(of: "UPDATE run SET id = 1")

    #expect(alone != nil)
    #expect(named?.hasPrefix("process \(process) ") == true, "\(named ?? "nobody")")
  }

  @Test(arguments: [
    ("UPDATE run SET id = 1", false), ("LOCK TABLE run IN EXCLUSIVE MODE", false),
    ("LOCK TABLE ONLY run IN ACCESS EXCLUSIVE MODE", true), ("DROP TABLE run", true),
    ("alter table run add more bigint", true), ("TRUNCATE run", true),
  ])
  func `one that only reads is named where a statement wants the table for itself`(
    words: String, isNamed: Bool
  ) throws {
    let reader = try database.connect()
    try reader.run(script: "BEGIN; SELECT FROM run")

    let named = try lockHolder(of: words)

    #expect((named != nil) == isNamed, "\(named ?? "nobody")")
  }

  @Test func `one that only reads comes behind one that writes`() throws {
    let reader = try database.connect()
    let writer = try database.connect()
    try reader.run(script: "BEGIN; SELECT FROM run")
    try writer.run(script: "BEGIN; INSERT INTO run VALUES (1)")
    let process: Int = try writer.value("SELECT pg_backend_pid()::bigint")

    let named = try lockHolder(of: "DROP TABLE run")

    #expect(named?.hasPrefix("process \(process) ") == true, "\(named ?? "nobody")")
  }

  @Test func `a pipeline names it, whichever of its statements waited`() throws {
    let holder = try database.connect()
    try holder.run(script: "BEGIN; LOCK TABLE run IN ACCESS EXCLUSIVE MODE")
    var server = try Server(database.url)
    (server.fixesNames, server.lockLimit) = (true, .milliseconds(50))
    let waiter = try Connection(to: server)

    let error = refusal {
      try waiter.pipeline(["SELECT 1", "SELECT count(*) FROM \(identifier: schema).run"])
    }

    #expect(error?.isLockTimeout == true)
    let told = error?.description ?? ""
    #expect(told.contains("which has a lock on '\(schema).run' since 2"), "\(told)")
  }

  @Test func `a COMMIT names it, where a check is put off until then`() throws {
    let holder = try database.connect()
    try holder.run(
      script: """
        ALTER TABLE run ADD PRIMARY KEY (id);
        INSERT INTO run VALUES (1);
        CREATE TABLE late (run bigint REFERENCES run DEFERRABLE INITIALLY DEFERRED);
        """)
    try holder.run(script: "BEGIN; SELECT FROM run FOR UPDATE")
    let waiter = try database.connect()

    let error = refusal {
      try waiter.transaction(lockLimit: .milliseconds(50)) { waiter in
        try waiter.run("INSERT INTO late VALUES (1)")
      }
    }

    #expect(error?.isLockTimeout == true)
    let told = error?.description ?? ""
    #expect(told.contains("which has a lock on '\(schema).run' since 2"), "\(told)")
  }

  @Test func `it says what ends it, a session as well as a prepared transaction`() throws {
    let session = try database.connect()
    try session.run(script: "BEGIN; LOCK TABLE run IN SHARE MODE")
    let process: Int = try session.value("SELECT pg_backend_pid()::bigint")
    let ofSession = try database.connect().lockHolder(of: "UPDATE run SET id = 1")
    try session.run(script: "PREPARE TRANSACTION '\(schema)'")
    let prepared = try database.connect().lockHolder(of: "UPDATE run SET id = 1")
    try session.run(script: "ROLLBACK PREPARED '\(schema)'")

    #expect(ofSession?.end == "'SELECT pg_terminate_backend(\(process))'")
    #expect(prepared?.account == "a prepared transaction, which has a lock on '\(schema).run'")
    #expect(
      prepared?.end == "ROLLBACK PREPARED: 'SELECT gid FROM pg_prepared_xacts' shows its name")
  }
}
