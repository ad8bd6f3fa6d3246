internal import CWorker
internal import LocalTime

/// The machine's clock, which only the edge of the program may read.
enum SystemClock {
  static func now() -> Instant {
    Instant(microseconds: wall_clock_microseconds())
  }
}
