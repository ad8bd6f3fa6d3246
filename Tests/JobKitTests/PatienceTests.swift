@testable import JobKit
@testable import Ledger
@testable import Runner
@testable import Settings

import LocalTime
import Postgres
import TestSupport
import Testing

/// For how long a daemon waits for a server that hangs.
@Suite("Patience with a server")
struct PatienceTests {
  @Test func `a server that hangs is left for another, however long a statement may take`() throws {
    let site = try Site()
    let socket = try site.server.get().socket
    let (first, second) = (try Relay(to: socket), try Relay(to: socket))
    let daemon = try site.daemon(
      at: "host=127.0.0.1,127.0.0.1 port=\(first.port),\(second.port) user=postgres"
        + " dbname=postgres",
      statementLimit: .seconds(600))
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }
    try site.awaitSuccesses(2)

    first.freeze()

    let now = try LedgerClock.database.now(on: site.connect())
    try site.awaitSuccesses(2, after: now)
    #expect(
      site.log.contains {
        $0.hasPrefix("error: scheduler: ") && $0.contains("it did not end within 2 s")
      })
  }

  @Test func `of two servers the other is asked clearly within fifteen seconds`() throws {
    let grace = try Server("host=/nowhere").grace
    let share = DatabaseSettings().connectTimeout / 2
    let question = Patience(for: .seconds(15)).limit

    #expect(question == .milliseconds(7500) && Ledger.patience(for: .seconds(15)) == question)
    #expect(
      question + grace + Reconnecting.wait(after: 1) + share == .milliseconds(12_500))
    #expect(Patience(for: .seconds(1)).limit == .seconds(2))
  }

  @Test func `what a slow server could not decide in time gets twice as long, until it is decided`()
    throws
  {
    let patience = Patience(for: .seconds(15))
    let late = PostgresError.deadline(.seconds(10), statement: "WITH tick AS (")

    for _ in 1...2 {
      #expect(throws: PostgresError.self) {
        try patience.judge([SchedulerError.unknownJob("sample"), late])
      }
    }
    let long = patience.limit
    try patience.judge([SchedulerError.unknownJob("sample")])

    #expect(long == .seconds(30))
    #expect(patience.limit == .milliseconds(7500))
  }
}
