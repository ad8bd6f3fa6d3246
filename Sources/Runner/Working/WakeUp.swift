internal import Dispatch
internal import JobKit
internal import Synchronization

/// Wakes one loop: after a while, or when somebody rings.
///
/// It says only that it is time to look; whoever wakes finds out at the ledger what there is to do. So
/// a ring too many costs a look, and none is ever needed for something to be right.
package final class WakeUp: Sendable {
  private struct State {
    var isRung = false
    var isAwaited = false
    var setting = 0

    /// Whether a setting is the last one and has not rung yet; from now on it has.
    mutating func use(_ setting: Int) -> Bool {
      guard self.setting == setting else { return false }
      self.setting += 1
      return true
    }
  }

  private let state = Mutex(State())
  private let bell = DispatchSemaphore(value: 0)
  private let queue = DispatchQueue(label: "wake-up", qos: .userInteractive)

  /// Whether somebody waits for it.
  var isAwaited: Bool { state.withLock(\.isAwaited) }

  /// Rings now.
  func ring() {
    let isFirst = state.withLock { state in
      defer { state.isRung = true }
      return !state.isRung
    }
    if isFirst { bell.signal() }
  }

  /// Rings at a time, by the clock on the wall or by the time that has passed, whichever comes first.
  ///
  /// The one rings when a machine wakes that was suspended, the other when the clock was set back. An
  /// earlier setting is forgotten.
  func set(for time: Time) {
    let setting = state.withLock { state in
      state.setting += 1
      return state.setting
    }
    let ringing: @Sendable () -> Void = { [weak self] in
      // The clock that comes second must not ring again for whom the first has woken already.
      guard let self, state.withLock({ $0.use(setting) }) else { return }
      ring()
    }
    queue.asyncAfter(wallDeadline: time.wall, execute: ringing)
    queue.asyncAfter(deadline: time.uptime, execute: ringing)
    #if DEBUG
      if let end = RehearsalPace.end { queue.asyncAfter(deadline: end, execute: ringing) }
    #endif
  }

  /// Rings after `delay`.
  func set(after delay: Duration) {
    set(for: .now + delay)
  }

  /// Waits for the next ring.
  func wait() {
    state.withLock { $0.isAwaited = true }
    bell.wait()
    state.withLock { state in (state.isRung, state.isAwaited) = (false, false) }
  }
}

extension WakeUp {
  /// A moment as both clocks of this machine show it.
  struct Time {
    let wall: DispatchWallTime
    let uptime: DispatchTime

    static var now: Time { Time(wall: .now(), uptime: .now()) }

    /// The time that long after another, an hour later at most.
    static func + (time: Time, delay: Duration) -> Time {
      let delay = DispatchTimeInterval.nanoseconds(
        Int(max(0, min(delay / .nanoseconds(1), 3.6e12))))
      return Time(wall: time.wall + delay, uptime: time.uptime + delay)
    }
  }
}
