public import JobKit
public import Ledger
public import LocalTime

extension ScheduledJob {
  /// A job under the schedule and the policies of its definition, as without any settings.
  public init(of definition: JobDefinition, in zones: ZoneDatabase) throws {
    let zone = try zones.zone(named: definition.zone ?? "UTC")
    let schedule: Schedule =
      switch definition.schedule {
      case .cron(let text): Schedule(CronSchedule(try Cron(text), in: zone, dst: definition.dst))
      case .every(let length): Schedule(every: try Self.interval(length), shownIn: zone)
      }
    self.init(
      name: definition.name, schedule: schedule, policies: definition.policies,
      after: definition.after, isEnabled: definition.isEnabled, parts: definition.parts)
  }

  private static func interval(_ length: Duration) throws -> Interval {
    guard let interval = Interval(length) else { throw NoInterval(length: length) }
    return interval
  }
}

/// A job is due at intervals that there are none of.
struct NoInterval: Error {
  let length: Duration
}
