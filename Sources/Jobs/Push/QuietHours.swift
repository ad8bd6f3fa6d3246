public import LocalTime

/// The stretch of a local day in which no push may go out.
///
/// It is a question about an instant's local time of day, so gaps and overlaps of the clock need no case
/// of their own.
public struct QuietHours: Sendable, Hashable {
  /// The minute of the day at which they begin, and the one at which they are over; from 0.
  public let from: Int
  public let to: Int

  /// Quiet hours `[from, to)`, over midnight when they end before they begin; with equal ends none.
  public init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }

  /// 22:00 to 07:00.
  public static let usual = QuietHours(from: 22 * 60, to: 7 * 60)

  /// Equal ends leave nothing between them: no hour is quiet.
  public var isEmpty: Bool { from == to }

  /// Whether a day's last minute is among them: also of those that end at midnight, with that minute.
  var reachMidnight: Bool { from > to }

  public func contains(_ minuteOfDay: Int) -> Bool {
    from <= to
      ? (from..<to).contains(minuteOfDay) : minuteOfDay >= from || minuteOfDay < to
  }

  /// Whether clocks in the zone show a time in them.
  public func contain(_ instant: Instant, in zone: Zone) -> Bool {
    contains(zone.local(at: instant).secondOfDay / 60)
  }

  /// When they begin next, at or after an instant outside of them; nothing when there are none.
  ///
  /// Clocks show their beginning then, or are changed to a time within them: put forward over the beginning,
  /// or back from after the end.
  func nextBeginning(from instant: Instant, in zone: Zone) -> Instant? {
    guard let shown = nextShown(from: instant, in: zone) else { return nil }
    return sequence(first: instant, next: zone.nextChange).dropFirst().prefix { $0 < shown }
      .first { contain($0, in: zone) } ?? shown
  }

  /// When clocks show the minute at which they begin next; nothing when there are none.
  ///
  /// After midnight it may be yesterday again, and one of the days to come may not exist.
  private func nextShown(from instant: Instant, in zone: Zone) -> Instant? {
    guard !isEmpty else { return nil }
    let today = zone.localDay(of: instant)
    return (-1...2).lazy.flatMap { beginnings(on: today.advanced(by: $0), in: zone) }
      .first { $0 >= instant }
  }

  private func beginnings(on day: CivilDate, in zone: Zone) -> [Instant] {
    zone.instants(showing: LocalDateTime(date: day, secondOfDay: from * 60))
  }
}
