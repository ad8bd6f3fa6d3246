internal import Glibc

/// A moment on the monotonic clock, which no step of the wall clock moves.
struct Deadline: Sendable {
  private let nanoseconds: Int

  /// The moment that is `duration` from now.
  init(after duration: Duration) {
    let (seconds, attoseconds) = duration.components
    // A century is as good as for ever, and cannot overflow.
    let whole = Int(min(max(seconds, 0), 3_155_760_000))
    nanoseconds = Self.now + whole * 1_000_000_000 + Int(max(attoseconds, 0) / 1_000_000_000)
  }

  /// The time until then, zero when it has passed.
  var remaining: Duration {
    .nanoseconds(max(0, nanoseconds - Self.now))
  }

  /// The milliseconds until then, rounded up, as `poll` takes them.
  var milliseconds: Int32 {
    Int32(clamping: (max(0, nanoseconds - Self.now) + 999_999) / 1_000_000)
  }

  private static var now: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
