internal import JobKit
internal import LocalTime

/// Instants and durations as people read them.
enum RelativeTime {
  /// An instant with how far away it is: `2026-03-08T07:00:00Z (in 3 min)`.
  static func text(_ instant: Instant?, at now: Instant) -> String {
    guard let instant else { return "" }
    let whole = Instant(secondsSince1970: instant.secondsSince1970)
    return "\(whole) (\(distance(from: now, to: instant)))"
  }

  private static func distance(from now: Instant, to instant: Instant) -> String {
    instant > now ? "in \(text(instant - now))" : "\(text(now - instant)) ago"
  }

  /// A duration in its two largest units: `3 h 12 min`, or in milliseconds below a second.
  static func text(_ duration: Duration) -> String { duration.inWords }
}
