import Postgres
import TestSupport
import Testing

@Suite struct LossTests {
  /// Does `work` once `process` of `server` sleeps in a statement.
  private func whenAsleep(
    _ process: Int, on url: String,
    _ work: @escaping @Sendable (borrowing Connection) throws -> Void
  ) -> TestThread<Void> {
    TestThread {
      let watcher = try Connection(to: Server(url))
      try eventually {
        try watcher.value(
          """
          SELECT count(*) FROM pg_stat_activity
          WHERE pid = \(process) AND wait_event = 'PgSleep'
          """) == 1
      }
      try work(watcher)
    }
  }

  /// Why a session was lost while it slept, and what its next statement says of that.
  private func reasons(
    _ error: PostgresError?, _ later: PostgresError?
  ) -> (first: String, later: String)? {
    guard case .lost(_, let reason, "SELECT pg_sleep(60)")? = error,
      case .lost(_, let laterReason, "SELECT 2")? = later
    else {
      Issue.record("\(told(error)), \(told(later))")
      return nil
    }
    return (reason, laterReason)
  }

  @Test func `a session that is terminated in a statement is lost, with the server's words`() throws
  {
    let connection = try TestDatabase.connectToSession()
    let process = connection.backendProcess
    let thread = whenAsleep(process, on: try TestEnvironment.postgres) { watcher in
      try watcher.run("SELECT pg_terminate_backend(\(process)::integer)")
    }

    let error = refusal { try connection.run("SELECT pg_sleep(60)") }
    try thread.value()
    let later = refusal { try connection.run("SELECT 2") }

    let reasons = reasons(error, later)
    #expect(reasons?.first == "terminating connection due to administrator command")
    #expect(reasons?.later == reasons?.first)
    #expect(connection.isOpen == false)
  }

  @Test func `a session that is lost while others wait for its work tells why ever after`() throws {
    let connection = try TestDatabase.connectToSession()
    let process = connection.backendProcess
    let other = try TestDatabase.connectToShared()

    let error = #expect(throws: PostgresError.self) {
      _ = try connection.pipeline(["SELECT pg_sleep(60)"], whileEach: 1...400) { number in
        guard number == 1 else { return }
        try other.run("SELECT pg_terminate_backend(\(process)::integer, 10000)")
      }
    }
    let later = refusal { try connection.run("SELECT 2") }

    let reasons = reasons(error, later)
    #expect(reasons?.later == reasons?.first)
  }

  @Test func `a session that was terminated while idle is lost at its next statement`() throws {
    let connection = try TestDatabase.connectToSession()
    let process = connection.backendProcess
    let other = try TestDatabase.connectToShared()
    try other.run("SELECT pg_terminate_backend(\(process)::integer, 10000)")

    let error = refusal { try connection.run("SELECT 1") }

    guard case .lost(_, let reason, "SELECT 1")? = error else {
      Issue.record("\(told(error))")
      return
    }
    #expect(
      reason == "terminating connection due to administrator command"
        || reason == "server closed the connection unexpectedly")
  }

  @Test func `a session that is lost in a transaction fails it`() throws {
    let connection = try TestDatabase.connectToSession()
    let process = connection.backendProcess
    let other = try TestDatabase.connectToShared()

    let error = refusal {
      try connection.transaction { connection in
        try connection.run("SELECT 1")
        try other.run("SELECT pg_terminate_backend(\(process)::integer, 10000)")
        try connection.run("SELECT 2")
      }
    }

    guard case .lost(_, _, "SELECT 2")? = error else {
      Issue.record("\(told(error))")
      return
    }
    #expect(connection.isInTransaction == false)
  }

  @Test func `who is silent in a transaction for too long loses it, and its locks`() throws {
    let database = try TestDatabase()
    try database.connect().run("CREATE TABLE item (id bigint)")
    var target = try Server(database.url)
    target.idleLimit = .milliseconds(50)
    let silent = try Connection(to: target)
    let other = try database.connect()

    let error = refusal {
      try silent.transaction { silent in
        try silent.run("LOCK TABLE item")
        // It is given once the server has sent the silent one away.
        try other.run("INSERT INTO item VALUES (1)", within: .hang)
        try silent.run("INSERT INTO item VALUES (2)")
      }
    }

    guard case .lost(_, let reason, "INSERT INTO item VALUES (2)")? = error else {
      Issue.record("\(told(error))")
      return
    }
    #expect(reason.contains("idle-in-transaction timeout") || reason.contains("closed"))
  }

  @Test func `a server that is killed loses its sessions, and serves new ones after a restart`()
    throws
  {
    let server = try PrivateServer()
    let connection = try server.connect()
    try connection.run("CREATE TABLE kept (id bigint)")
    try server.kill()

    let error = refusal { try connection.run("SELECT 1") }
    let none = refusal { try server.connect() }
    try server.start()
    let table: String? = try server.connect().value("SELECT to_regclass('kept')::text")

    guard case .lost? = error, case .cannotReach? = none else {
      Issue.record("\(told(error)), \(told(none))")
      return
    }
    #expect(table == "kept")
  }

  @Test func `a server that is restarted loses its sessions`() throws {
    let server = try PrivateServer()
    let connection = try server.connect()
    try server.stop()
    try server.start()

    let error = refusal { try connection.run("SELECT 1") }
    let one: Int = try server.connect().value("SELECT 1::bigint")

    #expect(
      error?.description
        == "lost the connection to Postgres at \(server.socketFolder):5432 (database 'postgres'): "
        + "terminating connection due to administrator command, in 'SELECT 1'; an open "
        + "transaction is rolled back, and whether a statement outside one took effect is unknown")
    #expect(one == 1)
  }

  @Test func `a server that is stopped in the middle of a stream loses it`() throws {
    let server = try PrivateServer()
    let connection = try server.connect()

    var count = 0
    let error = refusal {
      try connection.stream("SELECT generate_series(1, 100000000)") { _ in
        count += 1
        if count == 1000 { try server.kill() }
      }
    }

    guard case .lost? = error else {
      Issue.record("\(told(error))")
      return
    }
    #expect(count >= 1000)
  }

  @Test func `a connection that is gone gives back what it held`() throws {
    let shared = try TestDatabase.connectToSession()
    func open() throws -> Int { try TestDatabase.connectToSession().backendProcess }

    let process = try open()

    try eventually {
      try shared.value("SELECT count(*) FROM pg_stat_activity WHERE pid = \(process)") == 0
    }
  }
}
