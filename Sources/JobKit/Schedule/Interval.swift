public import LocalTime

/// The moments that lie a fixed time apart: the multiples of that time since 1970 in UTC.
///
/// Clocks on the wall have no say in it, and two machines that never spoke agree on the moments.
public struct Interval: Sendable, Hashable {
  /// Whole seconds between two moments, at least one.
  public let seconds: Int

  /// How long an interval may be.
  public static let allowed = Duration.seconds(1)...Duration.seconds(366 * 86_400)

  /// An interval of whole seconds inside ``allowed``, or nothing.
  public init?(_ length: Duration) {
    guard Self.allowed.contains(length), length.components.attoseconds == 0 else { return nil }
    seconds = Int(length.components.seconds)
  }

  /// The time from one tick to the next.
  public var length: Duration { .seconds(seconds) }

  /// The first tick behind an instant.
  public func next(after instant: Instant) -> Instant? {
    moment(number: number(of: instant).advanced(by: 1))
  }

  /// The last tick before an instant.
  public func previous(before instant: Instant) -> Instant? {
    let number = number(of: instant)
    // An instant that is itself such a moment does not come before itself.
    return moment(number: moment(number: number) == instant ? number - 1 : number)
  }

  /// How many moments there are from one instant up to and including another.
  public func count(from first: Instant, through last: Instant) -> Int {
    max(0, number(of: last) - number(of: first - .microseconds(1)))
  }

  /// How many moments lie between 1970 and the last one that is not after `instant`.
  private func number(of instant: Instant) -> Int {
    let (quotient, remainder) = instant.secondsSince1970.quotientAndRemainder(
      dividingBy: seconds)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// The moment of that number, or nothing where instants end.
  private func moment(number: Int) -> Instant? {
    let (since1970, isTooFar) = number.multipliedReportingOverflow(by: seconds)
    let instant = Instant(secondsSince1970: since1970)
    return isTooFar || instant.secondsSince1970 != since1970 ? nil : instant
  }
}
