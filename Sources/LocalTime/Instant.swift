/// A moment in time, the same for everyone: microseconds since 1970 in UTC.
///
/// Arithmetic stops at the ends of the range (292,000 years away) and never traps, since instants
/// come from data.
public struct Instant: Sendable, Hashable {
  public let microseconds: Int64

  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  public init(secondsSince1970 seconds: Int) {
    let (product, isTooFar) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
    microseconds = isTooFar ? (seconds < 0 ? .min : .max) : product
  }

  /// Whole seconds since 1970, rounded towards the past.
  public var secondsSince1970: Int {
    Int(microseconds).flooredDivision(by: 1_000_000)
  }

  /// The fraction of the second that ``secondsSince1970`` leaves out, 0 to 999,999.
  public var microsecondOfSecond: Int {
    let remainder = Int(microseconds % 1_000_000)
    return remainder < 0 ? remainder + 1_000_000 : remainder
  }

  public func advanced(bySeconds seconds: Int) -> Instant {
    self + .seconds(seconds)
  }
}

extension Instant: Comparable {
  public static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension Instant {
  public static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(saturating: .microseconds(instant.microseconds) + duration)
  }

  public static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(saturating: .microseconds(instant.microseconds) - duration)
  }

  /// The time from `right` to `left`, negative when `left` comes first.
  public static func - (left: Instant, right: Instant) -> Duration {
    .microseconds(left.microseconds) - .microseconds(right.microseconds)
  }

  private init(saturating sinceEpoch: Duration) {
    let bounds = Duration.microseconds(Int64.min)...Duration.microseconds(Int64.max)
    let (seconds, attoseconds) = min(max(sinceEpoch, bounds.lowerBound), bounds.upperBound)
      .components
    // Wide, because near an end of the range the whole seconds alone overflow.
    let wide = Int128(seconds) * 1_000_000 + Int128(attoseconds / 1_000_000_000_000)
    microseconds = Int64(clamping: wide)
  }
}
