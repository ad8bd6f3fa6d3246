import Testing

@testable import Postgres

@Suite struct ConnectFailureTests {
  private static let prefix = "connection to server at \"db\" (10.0.0.1), port 5432 failed: "

  @Test(arguments: [
    (
      "FATAL:  28P01: password authentication failed for user \"u\"\nLOCATION:  auth_failed, auth.c:326",
      ConnectFailure.refused("password authentication failed for user \"u\"", sqlState: "28P01")
    ),
    ("ВАЖНО:  3D000: нет базы", .refused("нет базы", sqlState: "3D000")),
    (
      "FATAL:  57P03: the database system is starting up",
      .unreachable("the database system is starting up", sqlState: "57P03")
    ),
    (
      "FATAL:  53300: sorry, too many clients already",
      .unreachable("sorry, too many clients already", sqlState: "53300")
    ),
    ("FATAL:  08P01: no such database", .unreachable("no such database", sqlState: "08P01")),
    (
      "Connection refused\n\tIs the server running on that host?",
      .unreachable("Connection refused")
    ),
    (
      "server closed the connection unexpectedly\n\tThis probably means",
      .unreachable("server closed the connection unexpectedly")
    ),
    (
      "SSL error: certificate verify failed",
      .refused("SSL error: certificate verify failed", sqlState: nil)
    ),
    ("SSL SYSCALL error: EOF detected", .unreachable("SSL SYSCALL error: EOF detected")),
    (
      "SSL connection has been closed unexpectedly",
      .unreachable("SSL connection has been closed unexpectedly")
    ),
    (
      "SSL error: unexpected eof while reading",
      .unreachable("SSL error: unexpected eof while reading")
    ),
    ("session is read-only", .unreachable("session is read-only")),
    ("FATAL:  no code: at all", .unreachable("FATAL:  no code: at all")),
  ])
  func `what libpq says tells a refusal from a server that cannot be reached`(
    text: String, failure: ConnectFailure
  ) {
    #expect(ConnectFailure(libpq: Self.prefix + text) == failure)
  }

  @Test(arguments: [
    (
      "53300",
      "it has no connection left: raise max_connections or lower 'workers' ('worker doctor --only"
        + " connections' counts them)"
    ), ("57P03", "it is starting or shutting down: wait until it has started"),
    ("08P01", "check that it runs and that the address is right"),
    (nil, "check that it runs and that the address is right"),
  ])
  func `who cannot be reached says what to do about that`(sqlState: String?, remedy: String) {
    let error = PostgresError.cannotReach(server: "db", reason: "no", sqlState: sqlState)

    #expect(error.description == "cannot reach db: no; \(remedy)")
  }

  @Test func `text without the usual words is told as it is`() {
    #expect(ConnectFailure(libpq: "out of memory\n") == .unreachable("out of memory"))
    #expect(ConnectFailure(libpq: "") == .unreachable("no reason given"))
  }
}
