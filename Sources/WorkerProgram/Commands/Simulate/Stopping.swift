internal import Glibc
internal import JobKit
internal import Runner
internal import Synchronization

/// Whether somebody wants a simulation to end before its time.
final class Stopping: Sendable {
  private let signals = Signals()
  private let asked = Mutex(false)

  var isAsked: Bool { asked.withLock(\.self) }

  /// Hears Ctrl-C, SIGTERM and a terminal that is closed: the first stops what `crew` works at, the
  /// second ends the process where it stands.
  func listen(for pool: WorkerPool) {
    signals.hear([SIGINT, SIGTERM, SIGHUP]) { [self] _ in
      let isSecond = asked.withLock { asked in
        defer { asked = true }
        return asked
      }
      guard !isSecond else { ProgramExit.end(.interrupted) }
      pool.activeParts.cut(.cancelled)
    }
  }
}
