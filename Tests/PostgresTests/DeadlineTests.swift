import TestSupport
import Testing

@testable import Postgres

@Suite struct DeadlineTests {
  @Test func `a statement over its limit is cancelled, and the connection goes on`() throws {
    let connection = try TestDatabase.connectToShared()

    let (error, took) = timed {
      refusal { try connection.run("SELECT pg_sleep(600)", within: .milliseconds(200)) }
    }
    let one: Int = try connection.value("SELECT 1::bigint")

    #expect(
      error?.description
        == "the statement took longer than 200 ms and was cancelled: 'SELECT pg_sleep(600)'")
    #expect(took >= .milliseconds(200) && took < .hang, "took \(took)")
    #expect(one == 1)
  }

  @Test func `a server has a limit for statements that have none`() throws {
    let connection = try Connection(to: shared { $0.statementLimit = .milliseconds(100) })

    let error = refusal { try connection.run("SELECT pg_sleep(60)") }

    #expect(error == .deadline(.milliseconds(100), statement: "SELECT pg_sleep(60)"))
  }

  @Test func `a transaction over its limit is rolled back`() throws {
    let connection = try TestDatabase.connectToShared()

    let error = refusal {
      try connection.transaction { connection in
        try connection.run("SELECT pg_sleep(60)", within: .milliseconds(100))
      }
    }

    #expect(error == .deadline(.milliseconds(100), statement: "SELECT pg_sleep(60)"))
    #expect(connection.isOpen == true)
    #expect(connection.isInTransaction == false)
  }

  @Test func `a connection whose server process hangs is lost after limit and grace`() throws {
    let server = try PrivateServer()
    var target = try Server(server.url())
    target.grace = .milliseconds(300)
    let connection = try Connection(to: target)
    server.pause(connection.backendProcess)

    let (error, took) = timed {
      refusal { try connection.run("SELECT 1", within: .milliseconds(200)) }
    }

    #expect(
      error?.description
        == "lost the connection to Postgres at \(server.socketFolder):5432 (database 'postgres'): "
        + "it did not end within 200 ms, and the server did not answer a "
        + "cancel request within 300 ms, in 'SELECT 1'; an open transaction is rolled back, and whether a "
        + "statement outside one took effect is unknown")
    #expect(took >= .milliseconds(500) && took < .hang, "took \(took)")
    #expect(connection.isOpen == false)
  }

  @Test func `a connection to a server that hangs altogether is lost in time`() throws {
    let server = try PrivateServer()
    var target = try Server(server.url())
    target.grace = .milliseconds(300)
    let connection = try Connection(to: target)
    server.pause()

    let (error, took) = timed {
      refusal { try connection.run("SELECT 1", within: .milliseconds(200)) }
    }

    guard case .lost? = error else {
      Issue.record("\(told(error))")
      return
    }
    #expect(took >= .milliseconds(500) && took < .hang, "took \(took)")
    #expect(error?.needsNewConnection == true)
  }

  @Test func `a connection over a cut network is lost in time`() throws {
    let server = try PrivateServer()
    let relay = try Relay(to: server.socket)
    var target = try Server("host=127.0.0.1 port=\(relay.port) user=postgres dbname=postgres")
    target.grace = .milliseconds(300)
    let connection = try Connection(to: target)
    relay.freeze()

    let (error, took) = timed {
      refusal { try connection.run("SELECT 1", within: .milliseconds(200)) }
    }

    guard case .lost? = error else {
      Issue.record("\(told(error))")
      return
    }
    #expect(took >= .milliseconds(500) && took < .hang, "took \(took)")
  }

  @Test func `a network cut at the commit leaves its outcome unknown, and says so`() throws {
    let server = try PrivateServer()
    let relay = try Relay(to: server.socket)
    let connection = try Connection(to: impatient(relay))

    let error = refusal {
      try connection.transaction { connection in
        try connection.run("CREATE TABLE t (id bigint)")
        relay.freeze()
      }
    }

    expectUnknown(error)
  }

  @Test func `a network cut at a commit that goes with other statements leaves it unknown too`()
    throws
  {
    let server = try PrivateServer()
    let relay = try Relay(to: server.socket)
    let connection = try Connection(to: impatient(relay))

    let error = refusal {
      try connection.transaction(opening: ["SELECT 1"]) { _, _ in
        relay.freeze()
        return ((), ["CREATE TABLE t (id bigint)"])
      }
    }

    expectUnknown(error)
  }

  /// The server behind a relay, for which nobody waits for long.
  private func impatient(_ relay: Relay) throws -> Server {
    var target = try Server("host=127.0.0.1 port=\(relay.port) user=postgres dbname=postgres")
    (target.statementLimit, target.grace) = (.milliseconds(300), .milliseconds(300))
    return target
  }

  private func expectUnknown(_ error: PostgresError?) {
    #expect(
      error?.description.hasSuffix("; whether the transaction is committed is unknown") == true,
      "\(told(error))")
    #expect(error?.description.contains("in 'COMMIT';") == true)
  }

  @Test(arguments: [
    (
      "canceling statement due to statement timeout",
      PostgresError.deadline(nil, statement: "SELECT 1")
    ),
    (
      "storniere Anfrage wegen Zeitüberschreitung der Anfrage",
      .deadline(nil, statement: "SELECT 1")
    ),
    ("canceling statement due to user request", .cancelled(statement: "SELECT 1")),
  ])
  func `a limit of the server is told from a cancel in whatever language`(
    message: String, error: PostgresError
  ) {
    let watch = Watch("SELECT 1", limit: nil, canceller: nil)
    let report = ServerReport(sqlState: "57014", message: message, statement: "SELECT 1")

    #expect(watch.error(because: report) == error)
  }

  @Test func `sending more than a hung server takes is given up in time`() throws {
    let server = try PrivateServer()
    var target = try Server(server.url())
    target.grace = .milliseconds(300)
    let connection = try Connection(to: target)
    server.pause(connection.backendProcess)
    let much = String(repeating: "x", count: 20_000_000)

    let (error, took) = timed {
      refusal { try connection.run("SELECT length(\(much))", within: .milliseconds(200)) }
    }

    guard case .lost? = error else {
      Issue.record("\(told(error))")
      return
    }
    #expect(took < .hang, "took \(took)")
  }
}
