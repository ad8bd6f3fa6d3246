/// One moment at which a schedule is due, and why it is that moment.
public struct ScheduleTick: Sendable, Hashable {
  public let instant: Instant
  public let zone: Zone
  public let reason: Reason

  /// How the moment follows from the local times that the expression names.
  public enum Reason: Sendable, Hashable {
    /// Clocks show the wanted time at this instant and at no other.
    case unique
    /// The wanted times, from the first to the last, are skipped by a change of the clocks.
    case afterGap(first: LocalDateTime, last: LocalDateTime)
    /// Clocks show the wanted time several times; this is one of them, counted from 1.
    case repeated(occurrence: Int, of: Int)
  }

  /// What clocks in the zone show at the instant.
  public var local: LocalDateTime { zone.local(at: instant) }

  /// The first local time that the expression asked for; it differs from ``local`` after a gap.
  public var nominal: LocalDateTime {
    if case .afterGap(let first, _) = reason { first } else { local }
  }
}

extension ScheduleTick {
  /// A sentence where a change of the clocks decided something, or nothing.
  public var note: String? {
    switch reason {
    case .unique: nil
    case .afterGap(let first, let last):
      "\(missing(first, last)) in \(zone.name):"
        + " runs \(first == last ? "at" : "once at") \(end(of: first)),"
        + " the first moment after the gap"
    case .repeated(let occurrence, let count):
      "\(local.timeOfDay) happens \(count == 2 ? "twice" : "\(count) times") on \(local.date)"
        + " in \(zone.name): this is the \(Self.ordinals[min(occurrence, 5) - 1])"
    }
  }

  private func missing(_ first: LocalDateTime, _ last: LocalDateTime) -> String {
    if first == last { return "\(first.timeOfDay) does not exist on \(first.date)" }
    guard first.date != last.date else {
      return "\(first.timeOfDay) to \(last.timeOfDay) do not exist on \(first.date)"
    }
    return "\(first.timeOfDay) on \(first.date) to \(last.timeOfDay) on \(last.date) do not exist"
  }

  private func end(of first: LocalDateTime) -> String {
    local.timeOfDay + (local.date == first.date ? "" : " on \(local.date)")
  }

  private static let ordinals = ["first", "second", "third", "fourth", "last"]
}

extension CronSchedule {
  /// Explains a second that a search found.
  func tick(at second: Int) -> ScheduleTick {
    ScheduleTick(
      instant: Instant(secondsSince1970: second), zone: zone,
      reason: skipped(before: second) ?? repetition(at: second))
  }

  /// The wanted times that a gap ending at this second swallowed.
  private func skipped(before second: Int) -> ScheduleTick.Reason? {
    let shown = zone.local(at: second)
    let before = zone.latestLocal(upTo: second - 1)
    guard shown > before + 1, !cron.coversAllHours, dst != .skipMissing,
      let first = cron.first(from: before + 1), first < shown,
      let last = cron.last(through: shown - 1)
    else { return nil }
    return .afterGap(
      first: LocalDateTime(localSeconds: first), last: LocalDateTime(localSeconds: last))
  }

  private func repetition(at second: Int) -> ScheduleTick.Reason {
    guard zone.changesClocks(near: second) else { return .unique }
    let seconds = zone.seconds(showing: zone.local(at: second))
    guard seconds.count > 1, let index = seconds.firstIndex(of: second) else { return .unique }
    return .repeated(occurrence: index + 1, of: seconds.count)
  }
}
