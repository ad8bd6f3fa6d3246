internal import Ledger
internal import Postgres
internal import Synchronization

/// How long the loop that decides lets the server take for a statement.
///
/// A server that hangs while its host still answers must not hold it for as long as a statement may take by
/// the settings: with the grace of a cancel request, the wait before it connects anew and the time that it gives
/// the first of two addresses, it asks another one within 15 seconds. What a server that is only slow could not
/// write in time gets twice as long, each time, until it is written.
package final class Patience: Sendable {
  private let usual: Duration
  private let current: Mutex<Duration>

  package init(for lease: Duration) {
    usual = Ledger.patience(for: lease)
    current = Mutex(usual)
  }

  /// The limit of the connection that is opened next.
  package var limit: Duration { current.withLock(\.self) }

  /// Judges what a pass could not decide; throws what took too long, so that a connection with a longer limit
  /// is opened.
  func judge(_ failures: [any Error]) throws {
    let late = failures.first { error in
      if case .deadline? = error as? PostgresError { true } else { false }
    }
    current.withLock { $0 = late == nil ? usual : $0 * 2 }
    if let late { throw late }
  }
}
