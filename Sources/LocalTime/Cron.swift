/// A cron expression: the local dates and times of day at which something is wanted.
///
/// Five fields (minute hour day month weekday) or six with seconds first. It says nothing about
/// zones: ``CronSchedule`` turns its local times into instants. An expression that can be held
/// can be read in one way only and comes true some day; everything else is refused with the fix.
public struct Cron: Sendable, Hashable {
  /// The expression as it was written, with single spaces.
  public let text: String

  let seconds: ValueSet
  let minutes: ValueSet
  let hours: ValueSet
  let days: CronDays

  /// Whether the hour field names all 24 hours.
  ///
  /// Such an expression describes a rhythm, not times on the wall, so it keeps its rhythm when
  /// clocks change.
  public var coversAllHours: Bool { hours.count == 24 }
}

extension Cron: CustomStringConvertible {
  public var description: String { text }
}
