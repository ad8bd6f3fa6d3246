internal import Dispatch
internal import Synchronization

/// Wakes one loop: after a while, or when somebody rings.
///
/// It says only that it is time to look; whoever wakes finds out at the ledger what there is to do. So
/// a ring too many costs a look, and none is ever needed for something to be right.
final class Alarm: Sendable {
  private struct State {
    var isRung = false
    var setting = 0
  }

  private let state = Mutex(State())
  private let bell = DispatchSemaphore(value: 0)
  private let queue = DispatchQueue(label: "alarm")

  /// Rings now.
  func ring() {
    let isFirst = state.withLock { state in
      defer { state.isRung = true }
      return !state.isRung
    }
    if isFirst { bell.signal() }
  }

  /// Rings after `delay`, by the clock on the wall: one that was suspended rings when it wakes.
  ///
  /// An earlier setting is forgotten.
  func set(after delay: Duration) {
    let setting = state.withLock { state in
      state.setting += 1
      return state.setting
    }
    let nanoseconds = max(0, min(delay / .nanoseconds(1), 3.6e12))
    queue.asyncAfter(wallDeadline: .now() + .nanoseconds(Int(nanoseconds))) {
      @Sendable [weak self] in
      guard let self, state.withLock({ $0.setting }) == setting else { return }
      ring()
    }
  }

  /// Waits for the next ring.
  func wait() {
    bell.wait()
    state.withLock { $0.isRung = false }
  }
}
