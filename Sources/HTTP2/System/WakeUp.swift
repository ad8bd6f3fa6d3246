internal import CNghttp2
internal import Glibc

/// Lets a thread that waits for a socket look up.
final class WakeUp: Sendable {
  let descriptor: Int32

  /// Nil when the process has no descriptor left.
  init?() {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Wakes the thread, or keeps it from falling asleep once.
  func signal() {
    eventfd_write(descriptor, 1)
  }

  /// Forgets that it was signalled.
  func clear() {
    var count: eventfd_t = 0
    unsafe eventfd_read(descriptor, &count)
  }
}
