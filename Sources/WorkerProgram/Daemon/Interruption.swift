internal import Glibc
internal import JobKit
internal import Ledger
internal import Postgres
internal import Runner
internal import Synchronization

/// Ctrl-C at a run by hand: the ledger is to say who ended what was worked at.
final class Interruption: Sendable {
  private let server: Server
  private let job: JobName
  private let console: Console
  private let state = Mutex(State())

  /// It has come, and all that is to end has been told.
  private let told = Latch()

  private struct State {
    /// The own run; nothing while what is worked at is another's.
    var run: Int?
    var hasCome = false
    var aftermath = InterruptionAftermath.leftToLease
  }

  init(on server: Server, of job: JobName, console: Console) {
    (self.server, self.job, self.console) = (server, job, console)
  }

  /// Hears Ctrl-C from now on, and cuts short what the crew works at; the second ends the process, and what
  /// runs is left to its lease.
  func hear(for pool: WorkerPool) {
    Signals().hear([SIGINT, SIGTERM]) { [self] _ in
      let before = state.withLock { state in
        defer { state.hasCome = true }
        return state
      }
      if before.hasCome {
        console.remark("ended at once: \(before.aftermath.words(of: job))")
        ProgramExit.end(.interrupted)
      }
      note()
      // What is another's goes on where it was: only the own run is over.
      pool.activeParts.cut(before.run == nil ? .drained : .cancelled)
      told.happen()
    }
  }

  /// Tells of the own run, which Ctrl-C ends from now on, or at once when it has come already.
  func concerns(_ number: Int) {
    let hasCome = state.withLock { state in
      state.run = number
      return state.hasCome
    }
    if hasCome { note() }
  }

  /// Whether it has come, or comes within so many milliseconds, and what it ends has been told.
  func comes(within milliseconds: Int) -> Bool {
    told.happens(within: .milliseconds(milliseconds))
  }

  /// Asks in the ledger for the end of the run, as `worker cancel` does.
  ///
  /// A database that does not answer keeps nobody from ending: it is asked for a second, and the run stops
  /// all the same.
  private func note() {
    guard let number = state.withLock(\.run) else { return }
    var server = server
    (server.connectTimeout, server.statementLimit) = (.seconds(1), .seconds(1))
    do {
      let connection = try Connection(to: server)
      let now = try LedgerClock.database.now(on: connection)
      let isAsked = try Ledger.cancel(number, by: Host.author, at: now, on: connection)
      let run = try? Ledger.run(number, on: connection)
      let aftermath = InterruptionAftermath(of: number, isAsked: isAsked, now: run)
      state.withLock { $0.aftermath = aftermath }
    } catch {
      // Then the ledger knows no more than that it was cancelled here.
    }
  }
}
