internal import Glibc
internal import LocalTime

/// The machine's clock, which only the edge of the program may read.
enum SystemClock {
  static func now() -> Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
