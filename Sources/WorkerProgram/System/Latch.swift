internal import Dispatch
internal import Synchronization

/// Something that happens once, for which others wait.
///
/// It is made of a group: the limit of a semaphore follows the clock on the wall, and who waits there while
/// that is set back waits for as long as it goes back.
final class Latch: Sendable {
  private let pending = DispatchGroup()
  private let hasHappened = Mutex(false)

  init() { pending.enter() }

  // A group that is still waited for may not be freed.
  deinit { happen() }

  /// Lets everybody go on who waits for it, now and ever after.
  func happen() {
    let isFirst = hasHappened.withLock { hasHappened in
      defer { hasHappened = true }
      return !hasHappened
    }
    if isFirst { pending.leave() }
  }

  /// Waits until it has happened.
  func wait() { pending.wait() }

  /// Waits until it has happened; false when it has not within `limit`.
  func happens(within limit: Duration) -> Bool {
    pending.wait(timeout: .now() + .nanoseconds(Int(limit / .nanoseconds(1)))) == .success
  }
}
