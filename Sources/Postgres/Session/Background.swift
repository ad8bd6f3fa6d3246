internal import CPostgres
internal import Glibc

/// A thread for the few calls of C that cannot be bounded otherwise.
enum Background {
  /// Does `work` on a thread of its own and waits for it until `deadline`; false when it was not done.
  ///
  /// Work that is late is left to itself: its thread ends when it is done.
  static func run(until deadline: Deadline, _ work: @escaping @Sendable () -> Void) -> Bool {
    let errand = Errand(work)
    guard start(errand) else { return false }
    return Readiness.wait(for: errand.done, POLLIN, until: deadline) == .ready
  }

  private static func start(_ errand: Errand) -> Bool {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let argument = unsafe Unmanaged.passRetained(errand)
    var thread = pthread_t()
    let status = withSignalsBlocked {
      unsafe pthread_create(
        &thread, &attributes,
        { argument in
          guard let argument = unsafe argument else { return nil }
          unsafe Unmanaged<Errand>.fromOpaque(argument).takeRetainedValue().run()
          return nil
        }, argument.toOpaque())
    }
    if status != 0 { unsafe argument.release() }
    return status == 0
  }

  /// Signals are for the threads of the program: a new thread inherits what is blocked here.
  private static func withSignalsBlocked(_ body: () -> Int32) -> Int32 {
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }
}

/// Work for a thread, and the event that tells its end; both sides keep it alive.
private final class Errand: Sendable {
  let done = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
  private let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
  }

  deinit {
    close(done)
  }

  func run() {
    work()
    eventfd_write(done, 1)
  }
}
