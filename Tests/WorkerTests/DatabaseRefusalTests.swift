import Postgres
import TestSupport
import Testing

@testable import worker

/// How a command ends whose statement the database does not carry out.
@Suite("A statement that is refused")
struct DatabaseRefusalTests {
  @Test(arguments: [
    ("55P03", "somebody holds that lock, such as a migration: try again when it is over"),
    ("55006", "somebody uses it: try again when that is over"),
    (
      "53100",
      "the server has no disk, memory or connection left for it: see its log, make room there, and try"
        + " again"
    ),
    (
      "53200",
      "the server has no disk, memory or connection left for it: see its log, make room there, and try"
        + " again"
    ),
    (
      "25006",
      "the server only reads, as a standby does: let 'database.url' name the primary, or write"
        + " target_session_attrs=read-write into it, and try again"
    ),
  ])
  func `what passes says what to do, and that is to try again`(state: String, remedy: String) {
    let failure = Failure(PostgresError.failed(Self.report(state)))

    #expect(failure.lines == ["cannot run 'SELECT 1': no (SQLSTATE \(state)); \(remedy)"])
    #expect(failure.exitCode == .refusedForNow)
  }

  @Test(
    arguments: [
      (
        .deadline(.seconds(30), statement: "SELECT 1"),
        "'SELECT 1' took longer than 30.0 seconds and was cancelled; the database is busy, or somebody"
          + " holds a lock that this needs: try again, or raise 'database.statement_timeout'"
      ),
      (
        .deadline(nil, statement: "SELECT 1"),
        "'SELECT 1' took longer than the server's statement_timeout and was cancelled; the database is"
          + " busy, or somebody holds a lock that this needs: try again, or raise that limit"
      ),
      (
        .cancelled(statement: "SELECT 1"),
        "'SELECT 1' was cancelled; somebody ended it at the server: try again"
      ),
      (
        .retryable(report("40001")),
        "another transaction got in the way of 'SELECT 1': no (SQLSTATE 40001); try the transaction"
          + " again"
      ),
    ] as [(PostgresError, String)])
  func `what took too long or met others is to be tried again`(
    error: PostgresError, sentence: String
  ) {
    let failure = Failure(error)

    #expect(failure.lines == [sentence])
    #expect(failure.exitCode == .refusedForNow)
  }

  @Test func `what only a mistake brings about is called one`() {
    let failure = Failure(PostgresError.failed(Self.report("42601")))

    #expect(failure.lines == ["cannot run 'SELECT 1': no (SQLSTATE 42601)"])
    #expect(failure.exitCode == .internalError)
  }

  private static func report(_ state: String) -> ServerReport {
    ServerReport(sqlState: state, message: "no", statement: "SELECT 1")
  }

  @Test func `a table that somebody holds for longer than a command may wait ends it with 75`()
    throws
  {
    let (database, folder) = (try TestDatabase(), try ScratchFolder())
    let file = try folder.write(
      "[database]\nurl = \"\(database.url)\"\nstatement_timeout = \"1s\"\n", to: "worker.toml",
      mode: 0o644)
    let variables = ["WORKER_CONFIG": file, "TZDIR": try TestEnvironment.zoneinfo]
    // With its own limit, which the migrations may need.
    _ = try Program(
      "migrate", "up",
      variables: [
        "WORKER_CONFIG": "/dev/null", "WORKER_DATABASE_URL": database.url,
        "TZDIR": TestEnvironment.zoneinfo,
      ])

    let refused = try database.connectToServer().transaction { connection in
      try connection.run("LOCK TABLE jobkit.run")
      return try Program("runs", variables: variables)
    }

    #expect(
      refused.errors.hasSuffix(
        "took longer than 1.0 seconds and was cancelled; the database is busy, or somebody holds a lock"
          + " that this needs: try again, or raise 'database.statement_timeout'\n"))
    #expect(refused.exitCode == 75)
  }
}
