internal import CPostgres
internal import Glibc
internal import Synchronization

/// What another thread holds to end the statements of a connection.
///
/// `cancel` never waits: it wakes the thread that waits for Postgres, and that thread asks Postgres to
/// end the statement. It holds from then on: every later statement fails as cancelled too, until the
/// connection is given another canceller. So no cancel falls between two statements, and none that
/// comes late ends the work of somebody else.
public final class Canceller: Sendable {
  /// Readable once cancelled; -1 when the process has no descriptor left for it.
  let event = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

  private let flag = Atomic(false)

  /// A canceller that has not been used.
  public init() {}

  deinit {
    close(event)
  }

  /// Whether `cancel` was called.
  public var isCancelled: Bool {
    flag.load(ordering: .acquiring)
  }

  /// Ends the statement that runs now, and every later one.
  public func cancel() {
    flag.store(true, ordering: .releasing)
    eventfd_write(event, 1)
  }
}
