/// A cron expression in a zone: the instants at which something is due.
///
/// An expression whose hour field names all 24 hours keeps its rhythm: it fires at every instant
/// whose local time matches, so a quarter-hourly job neither pauses nor doubles when clocks
/// change. Any other expression means times on the wall, and each matching local date and time
/// fires exactly once: one that comes twice fires the first time, and one that is skipped fires at
/// the first instant after the gap, together with all others that the gap swallowed.
public struct CronSchedule: Sendable, Hashable {
  public let cron: Cron
  public let zone: Zone
  public let dst: ClockChanges

  /// What becomes of wall-clock times that come twice or not at all.
  public enum ClockChanges: String, Sendable, CaseIterable {
    /// Each fires exactly once.
    case once
    /// Those that come twice fire both times; those that are skipped fire after the gap.
    case everyOccurrence = "every_occurrence"
    /// Those that are skipped do not fire; those that come twice fire the first time.
    case skipMissing = "skip_missing"
  }

  public init(_ cron: Cron, in zone: Zone, dst: ClockChanges = .once) {
    self.cron = cron
    self.zone = zone
    self.dst = dst
  }

  /// The first tick after an instant.
  ///
  /// There is none near the end of the range of instants and, with ``ClockChanges/skipMissing``,
  /// for an expression that names nothing but skipped times.
  public func next(after instant: Instant) -> ScheduleTick? {
    let second = instant.secondsSince1970
    guard let next = nextSecond(after: second) else { return nil }
    let tick = Instant(secondsSince1970: next)
    return tick > instant ? self.tick(at: next) : nil
  }

  /// The last tick before an instant: the mirror of ``next(after:)``.
  public func previous(before instant: Instant) -> ScheduleTick? {
    let second = instant.secondsSince1970 + (instant.microsecondOfSecond > 0 ? 1 : 0)
    guard let previous = previousSecond(before: second) else { return nil }
    let tick = Instant(secondsSince1970: previous)
    return tick < instant ? self.tick(at: previous) : nil
  }

  /// The ticks after one instant and up to and including another, at most `limit` of them.
  public func ticks(after start: Instant, through end: Instant, limit: Int) -> [ScheduleTick] {
    var ticks = [ScheduleTick]()
    var last = start
    while ticks.count < limit, let tick = next(after: last), tick.instant <= end {
      ticks.append(tick)
      last = tick.instant
    }
    return ticks
  }

  /// The ticks from the beginning of a range up to its end, which is left out.
  public func ticks(in range: Range<Instant>, limit: Int) -> [ScheduleTick] {
    let microsecond = Duration.microseconds(1)
    return ticks(
      after: range.lowerBound - microsecond, through: range.upperBound - microsecond, limit: limit)
  }
}
