internal import LocalTime

/// The wait for a moment of the ledger's clock that is near, to the point.
///
/// A timer is late by what a sleeping processor takes to wake: the last bit is spent looking at the clock. A sleep may
/// also end early, when somebody rings or when the ledger's clock goes behind this host's; then the rest is slept, not
/// spent looking.
struct ExactWait {
  let moment: Instant

  /// How near the moment is: where it is farther, the clock was set back, and nobody waits until it has caught up.
  let farthest: Duration

  init(until moment: Instant, farthest: Duration) {
    (self.moment, self.farthest) = (moment, farthest)
  }

  /// The last bit.
  static let looking = Duration.milliseconds(2)

  /// More often than a server answers in the last bit: a clock that has not come to its end by then stands still.
  static let mostLooks = 100
  private static let longestPause = Duration.milliseconds(50)

  func run<Failure: Error>(
    from shown: Instant, while isNeeded: @autoclosure () -> Bool, sleeping: (Duration) -> Void,
    looking look: () throws(Failure) -> Instant
  ) throws(Failure) {
    var (now, pause) = (shown, Duration.zero)
    while isAhead(of: now), isNeeded() {
      sleeping(max(moment - now - Self.looking, pause))
      var looks = 0
      repeat {
        now = try look()
        looks += 1
      } while isInLastBit(at: now) && looks < Self.mostLooks
      pause = isInLastBit(at: now) ? min(pause * 2 + Self.looking, Self.longestPause) : .zero
    }
  }

  private func isAhead(of now: Instant) -> Bool { now < moment && moment - now <= farthest }

  private func isInLastBit(at now: Instant) -> Bool {
    isAhead(of: now) && moment - now <= Self.looking
  }
}
