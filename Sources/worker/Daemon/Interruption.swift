internal import JobKit
internal import Postgres

/// Ctrl-C at a run by hand: the ledger is to say who ended it.
struct Interruption: Sendable {
  private let run: Int
  private let server: Server

  init(of run: Int, on server: Server) {
    self.run = run
    self.server = server
  }

  /// Asks in the ledger for the end of the run, as `worker cancel` does.
  ///
  /// A database that does not answer keeps nobody from ending: it is asked for a second, and the run stops
  /// all the same.
  func note() {
    var server = server
    (server.connectTimeout, server.statementLimit) = (.seconds(1), .seconds(1))
    do {
      let connection = try Connection(to: server)
      let now = try LedgerClock.database.now(on: connection)
      _ = try Ledger.cancel(run, by: Host.author, at: now, on: connection)
    } catch {
      // Then the ledger knows no more than that it was cancelled here.
    }
  }
}
