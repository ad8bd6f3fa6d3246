import LocalTime
import Migrations
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import JobKit
@testable import Ledger

@Suite("Migrations that take their time")
struct MigrationTurnTests {
  private static let noon = Instant(secondsSince1970: 1_772_366_400)

  private let database: TestDatabase

  init() throws {
    database = try TestDatabase()
  }

  /// A schema of one step.
  private func schema(
    _ sql: String, lockLimit: Duration = .seconds(5), pause: Duration = .zero, tries: Int = 1,
    turnLimit: Duration = .seconds(600)
  ) -> Schema {
    Schema(
      [Migration(1, "slow", Array(sql.utf8))],
      patience: MigrationPatience(
        lockLimit: lockLimit, pause: pause, tries: tries, turnLimit: turnLimit))
  }

  @Test func `a step takes longer than settings allow a statement`() throws {
    var server = try Server(database.url)
    server.statementLimit = .milliseconds(500)
    let slow = schema("SELECT pg_sleep(0.7); CREATE TABLE jobkit.thing (n bigint);")

    let done = try slow.migrate(by: "ana", at: Self.noon, on: Connection(to: server))

    #expect(done.map(\.name) == ["slow"])
  }

  @Test func `a step is under no limit of its role, and waits for tables as long as it may`() throws
  {
    let connection = try database.connect()
    try connection.run("SET statement_timeout = '20s'")
    let seeing = schema(
      """
      CREATE TABLE jobkit.seen AS SELECT current_setting('statement_timeout') AS statement,
        current_setting('lock_timeout') AS lock;
      """, lockLimit: .milliseconds(1_500))

    try seeing.migrate(by: "ana", at: Self.noon, on: connection)

    let seen = try connection.run("SELECT statement || ' ' || lock FROM jobkit.seen").only
    #expect(try seen[0] == "0 1500ms")
  }

  @Test func `a host waits for another that migrates, for longer than for a table`() throws {
    let other = try database.connect()
    let heard = Mutex<[MigrationNews]>([])
    let schema = schema("CREATE TABLE jobkit.thing (n bigint);", lockLimit: .milliseconds(1))
    let url = database.url

    try other.run(script: schema.beginning)
    var process = 0
    let host = try schema.holdingLock(on: other) { other in
      process = try other.run("SELECT pg_backend_pid()").only[0]
      let host = TestThread {
        try schema.migrate(by: "ana", at: Self.noon, on: Connection(to: Server(url))) { news in
          heard.withLock { $0.append(news) }
        }
      }
      try eventually { try isAwaited(on: other) }
      return host
    }
    let done = try host.value()

    #expect(done == schema.migrations)
    let step = schema.migrations[0]
    let news = heard.withLock(\.self)
    guard case .waiting(let holder, .seconds(600)) = news.first else {
      Issue.record("\(news)")
      return
    }
    let said = try #require(holder)
    #expect(said.hasPrefix("process \(process) of role '"))
    #expect(said.contains("which has a lock on 'jobkit.migration' since 2"))
    #expect(news.dropFirst() == [.applying(step), .applied(step)])
  }

  /// Whether somebody waits for a table.
  private func isAwaited(on connection: borrowing Connection) throws -> Bool {
    try connection.run(
      """
      SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'relation' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
      """
    ).only[0]
  }

  @Test func `a host gives up on another that is never done, and says who that is`() throws {
    let other = try database.connect()
    let schema = schema("CREATE TABLE jobkit.thing (n bigint);", turnLimit: .milliseconds(50))
    try other.run(script: schema.beginning)

    let error = try schema.holdingLock(on: other) { other in
      #expect(throws: MigrationError.self) {
        try schema.migrate(by: "ana", at: Self.noon, on: database.connect())
      }
    }

    guard case .turnTaken(let holder, .milliseconds(50)) = error else {
      Issue.record("\(error.map { "\($0)" } ?? "no error")")
      return
    }
    #expect(holder?.contains("which has a lock on 'jobkit.migration' since 2") == true)
    #expect(
      MigrationError.turnTaken(by: "process 7", for: .seconds(1800)).description
        == "another host has been migrating this database for 30m and is not done (process 7): end it,"
        + " or wait for it, and run 'worker migrate up' again")
    #expect(try schema.pending(on: database.connect()) == schema.migrations)
  }

  @Test func `two hosts that make the same schema at once both come to its end`() throws {
    let schema = schema("CREATE TABLE jobkit.thing (n bigint);")
    let url = database.url

    let hosts = (1...4).map { _ in
      TestThread { try schema.migrate(by: "ana", at: Self.noon, on: Connection(to: Server(url))) }
    }
    let done = try hosts.map { try $0.value().count }

    #expect(done.reduce(0, +) == 1)
  }

  @Test func `a host waits for no number that somebody has locked, nor for whoever reads`() throws {
    let reader = try database.connect()
    let schema = schema("CREATE TABLE jobkit.thing (n bigint);", turnLimit: .milliseconds(50))
    try reader.run(script: schema.beginning)

    let done = try reader.transaction { reader in
      // What programs before this one locked: 'jobkit' in ASCII.
      try reader.run("SELECT pg_advisory_xact_lock(\(0x6a6f_626b_6974)) FROM jobkit.migration")
      try reader.run("SELECT pg_advisory_xact_lock(\(0x6a6f_626b_6974))")
      try reader.run("LOCK TABLE jobkit.migration IN ACCESS SHARE MODE")
      return try schema.migrate(by: "ana", at: Self.noon, on: database.connect())
    }

    #expect(done == schema.migrations)
  }

  @Test func `a step lets go of a busy table, and is tried again as often as it may`() throws {
    let connection = try database.connect()
    let other = try database.connect()
    try connection.run("CREATE TABLE thing (n bigint)")
    let schema = schema(
      "CREATE TABLE jobkit.half (n bigint); ALTER TABLE thing ADD COLUMN more bigint;",
      lockLimit: .milliseconds(50), tries: 3)
    var left: [Int] = []

    #expect(throws: PostgresError.self) {
      try other.transaction { other in
        let process: Int = try other.run("SELECT pg_backend_pid(), (SELECT max(n) FROM thing)")
          .only[0]
        try schema.migrate(by: "ana", at: Self.noon, on: connection) { news in
          guard case .heldUp(let error, _, let triesLeft) = news else { return }
          #expect(error.isLockTimeout)
          left.append(triesLeft)
          guard triesLeft == 1 else { return }
          // As whoever had the table would be done, but in the midst of this.
          _ = try? database.connect().run("SELECT pg_terminate_backend(\(process)::integer, 10000)")
        }
        try other.run("SELECT FROM thing")
      }
    }

    #expect(left == [2, 1])
    #expect(try schema.pending(on: connection).isEmpty)
  }

  @Test func `a step that met a deadlock is tried again, under no limit of its role`() throws {
    let connection = try database.connect()
    try connection.run("SET statement_timeout = '300ms'")
    try connection.run("CREATE SEQUENCE tried")
    let unlucky = schema(
      """
      DO $$ BEGIN
        IF nextval('tried') < 2 THEN RAISE EXCEPTION USING ERRCODE = 'deadlock_detected'; END IF;
      END $$;
      """, pause: .milliseconds(400), tries: 2)

    #expect(try unlucky.migrate(by: "ana", at: Self.noon, on: connection) == unlucky.migrations)
  }

  @Test func `what could not be applied is told as under way, and never as applied`() throws {
    var heard: [MigrationNews] = []
    let broken = schema("SELECT 1 / 0;")

    #expect(throws: PostgresError.self) {
      try broken.migrate(by: "ana", at: Self.noon, on: database.connect()) { heard.append($0) }
    }

    #expect(heard == [.applying(broken.migrations[0])])
  }
}
