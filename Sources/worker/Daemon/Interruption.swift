internal import Dispatch
internal import Glibc
internal import JobKit
internal import Postgres
internal import Synchronization

/// Ctrl-C at a run by hand: the ledger is to say who ended what was worked at.
final class Interruption: Sendable {
  private let server: Server
  private let run = Mutex<Int?>(nil)
  private let hasCome = Mutex(false)

  /// Whether all was told to end that is to.
  private let isDone = Mutex(false)
  private let bell = DispatchSemaphore(value: 0)

  init(on server: Server) { self.server = server }

  /// Hears Ctrl-C from now on, and cuts short what the crew works at; the second ends the process, and what
  /// runs is left to its lease.
  func hear(for crew: Crew) {
    Signals().hear([SIGINT, SIGTERM]) { [self] _ in
      let isSecond = hasCome.withLock { hasCome in
        defer { hasCome = true }
        return hasCome
      }
      if isSecond { ProgramExit.end(.interrupted) }
      // What is another's goes on where it was: only the own run is over.
      let isOwn = run.withLock { $0 != nil }
      note()
      crew.holdings.cut(isOwn ? .cancelled : .drained)
      isDone.withLock { $0 = true }
      bell.signal()
    }
  }

  /// The own run, which Ctrl-C ends from now on, or at once when it has come already; nothing while what is
  /// worked at is another's.
  func concerns(_ number: Int?) {
    run.withLock { $0 = number }
    if hasCome.withLock(\.self) { note() }
  }

  /// Whether it has come, or comes within so many milliseconds, and what it ends has been told.
  func comes(within milliseconds: Int) -> Bool {
    if !isDone.withLock(\.self) { _ = bell.wait(timeout: .now() + .milliseconds(milliseconds)) }
    return isDone.withLock(\.self)
  }

  /// Asks in the ledger for the end of the run, as `worker cancel` does.
  ///
  /// A database that does not answer keeps nobody from ending: it is asked for a second, and the run stops
  /// all the same.
  private func note() {
    guard let number = run.withLock(\.self) else { return }
    var server = server
    (server.connectTimeout, server.statementLimit) = (.seconds(1), .seconds(1))
    do {
      let connection = try Connection(to: server)
      let now = try LedgerClock.database.now(on: connection)
      _ = try Ledger.cancel(number, by: Host.author, at: now, on: connection)
    } catch {
      // Then the ledger knows no more than that it was cancelled here.
    }
  }
}
