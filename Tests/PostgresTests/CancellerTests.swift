import Postgres
import TestSupport
import Testing

@Suite struct CancellerTests {
  /// Waits on a second connection until `process` runs something, and then cancels.
  private func cancel(_ canceller: Canceller, whenBusy process: Int) -> TestThread<Void> {
    TestThread {
      let watcher = try TestDatabase.connectToShared()
      try eventually {
        try watcher.value(
          """
          SELECT count(*) FROM pg_stat_activity
          WHERE pid = \(process) AND state = 'active'
          """) == 1
      }
      canceller.cancel()
    }
  }

  @Test func `another thread ends a statement`() throws {
    let connection = try TestDatabase.connectToSession()
    let thread = cancel(connection.canceller, whenBusy: connection.backendProcess)

    let (error, took) = timed { refusal { try connection.run("SELECT pg_sleep(600)") } }
    try thread.value()

    #expect(error?.description == "the statement was cancelled: 'SELECT pg_sleep(600)'")
    #expect(took < .hang, "took \(took)")
    #expect(connection.isOpen == true)
  }

  @Test func `a cancel holds until the connection has another canceller`() throws {
    let connection = try TestDatabase.connectToShared()
    connection.canceller.cancel()

    let first = refusal { try connection.run("SELECT 1") }
    let second = refusal { try connection.run("SELECT 2") }
    connection.canceller = Canceller()
    let third: Int = try connection.value("SELECT 3::bigint")

    #expect(first == .cancelled(statement: "SELECT 1"))
    #expect(second == .cancelled(statement: "SELECT 2"))
    #expect(third == 3)
  }

  @Test func `a cancelled transaction is rolled back, even between two statements`() throws {
    let connection = try TestDatabase.connectToSession()

    let error = refusal {
      try connection.transaction { connection in
        try connection.run("CREATE TEMP TABLE t (id bigint)")
        connection.canceller.cancel()
      }
    }
    connection.canceller = Canceller()
    let table: String? = try connection.value("SELECT to_regclass('t')::text")

    #expect(error == .cancelled(statement: "COMMIT"))
    #expect(table == nil)
    #expect(connection.isInTransaction == false)
  }

  @Test func `a stream that never pauses can be cancelled`() throws {
    let connection = try TestDatabase.connectToShared()
    let canceller = connection.canceller

    var count = 0
    let error = refusal {
      try connection.stream("SELECT generate_series(1, 1000000000) AS i") { _ in
        count += 1
        if count == 1000 { canceller.cancel() }
      }
    }
    connection.canceller = Canceller()
    let one: Int = try connection.value("SELECT 1::bigint")

    #expect(error == .cancelled(statement: "SELECT generate_series(1, 1000000000) AS i"))
    #expect(count >= 1000 && count < 10_000_000)
    #expect(one == 1)
  }

  @Test func `a server that had not begun with a statement is asked to end it once more`() throws {
    let server = try PrivateServer()
    let connection = try Connection(to: Server(server.url()))
    let process = connection.backendProcess
    server.pause(process)
    // The first request finds a server that has read nothing of the statement yet.
    let thread = TestThread {
      try eventually { PrivateServer.isToldToCancel(process) }
      PrivateServer.resume(process)
    }

    let error = refusal { try connection.run("SELECT pg_sleep(60)", within: .milliseconds(10)) }
    try thread.value()

    #expect(error == .deadline(.milliseconds(10), statement: "SELECT pg_sleep(60)"))
    #expect(connection.isOpen == true)
  }

  @Test func `a cancel that the server does not answer ends in time`() throws {
    let server = try PrivateServer()
    var target = try Server(server.url())
    target.grace = .milliseconds(300)
    let connection = try Connection(to: target)
    server.pause()
    let canceller = connection.canceller
    let thread = TestThread { canceller.cancel() }

    let (error, took) = timed { refusal { try connection.run("SELECT pg_sleep(600)") } }
    try thread.value()

    switch error {
    case .cancelled, .lost: break
    default: Issue.record("\(told(error))")
    }
    #expect(took < .hang, "took \(took)")
  }

  @Test func `one canceller ends what several connections do`() throws {
    let canceller = Canceller()
    let threads = (0..<3).map { _ in
      TestThread {
        let connection = try TestDatabase.connectToShared()
        connection.canceller = canceller
        return refusal { try connection.run("SELECT pg_sleep(60)") }
      }
    }

    canceller.cancel()
    let errors = try threads.map { try $0.value() }

    #expect(errors == Array(repeating: .cancelled(statement: "SELECT pg_sleep(60)"), count: 3))
  }
}
