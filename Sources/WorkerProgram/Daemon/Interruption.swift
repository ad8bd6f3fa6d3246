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

    /// Whether the ledger says that the own run is cancelled.
    var isCancelled = false
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
        console.remark(end)
        ProgramExit.end(.interrupted)
      }
      note()
      // What is another's goes on where it was: only the own run is over.
      pool.activeParts.cut(before.run == nil ? .drained : .cancelled)
      told.happen()
    }
  }

  /// What the second one leaves behind.
  private var end: String {
    let now = state.withLock(\.self)
    if let run = now.run, now.isCancelled {
      return "ended at once: run \(run) is cancelled; 'worker retry \(run)' starts it again"
    }
    return "ended at once: what is held here is free when its lease ends, and then a daemon or"
      + " 'worker run \(job) --resume' goes on with it"
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
      _ = try Ledger.cancel(number, by: Host.author, at: now, on: connection)
      state.withLock { $0.isCancelled = true }
    } catch {
      // Then the ledger knows no more than that it was cancelled here.
    }
  }
}
