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

extension Instant: CustomStringConvertible {
  /// The instant in UTC as RFC 3339 writes it: 2026-03-08T07:00:00Z.
  public var description: String { text(offset: 0) }

  /// The instant as clocks in `zone` show it, with their offset: 2026-03-08T03:00:00-04:00.
  public func text(in zone: Zone) -> String {
    text(offset: zone.offset(at: self))
  }

  private func text(offset: Int) -> String {
    let local = LocalDateTime(localSeconds: secondsSince1970 + offset)
    return "\(local)\(fractionText)\(offsetText(offset))"
  }

  private var fractionText: String {
    guard microsecondOfSecond != 0 else { return "" }
    var digits = String(String(1_000_000 + microsecondOfSecond).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return ".\(digits)"
  }
}

extension Instant {
  /// Reads RFC 3339: 2026-03-08T07:00:00Z, or with a fraction or an offset from UTC.
  ///
  /// Nothing is guessed: an instant without an offset is refused. Digits beyond the microsecond
  /// are dropped.
  public init(_ text: some StringProtocol) throws(TimeTextError) {
    var reader = TextReader(text)
    guard let date = DateFields(from: &reader), reader.take("T"),
      let time = TimeFields(from: &reader, needsSeconds: true),
      let fraction = Self.fraction(from: &reader),
      let offset = OffsetFields(from: &reader), reader.isAtEnd
    else {
      throw .notAnInstant(String(text))
    }
    let local = LocalDateTime(
      date: try date.date(in: String(text)), secondOfDay: try time.secondOfDay(in: String(text)))
    let seconds = local.localSeconds - (try offset.seconds(in: String(text)))
    microseconds = Int64(seconds) * 1_000_000 + Int64(fraction)
  }

  /// The microseconds written after a point, 0 when there is no point, nothing when no digits.
  private static func fraction(from reader: inout TextReader) -> Int? {
    guard reader.take(".") else { return 0 }
    let digits = reader.take { (48...57).contains($0) }
    guard (1...9).contains(digits.count) else { return nil }
    return Int((digits + "00000").prefix(6))
  }
}
