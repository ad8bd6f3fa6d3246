internal import LocalTime

/// Instants and durations as people read them.
enum Moment {
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
  static func text(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    switch seconds {
    case 0: return "\(Int(duration / .milliseconds(1))) ms"
    case ..<60: return "\(seconds) s"
    case ..<3600: return pair(seconds / 60, "min", seconds % 60, "s")
    case ..<86_400: return pair(seconds / 3600, "h", seconds / 60 % 60, "min")
    default: return pair(seconds / 86_400, "d", seconds / 3600 % 24, "h")
    }
  }

  private static func pair(_ large: Int, _ unit: String, _ small: Int, _ rest: String) -> String {
    small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(rest)"
  }
}
