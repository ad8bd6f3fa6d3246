public import JobKit
package import LocalTime
internal import Migrations

/// One job as this daemon schedules it: its definition under its settings.
public struct ScheduledJob: Sendable {
  public let name: JobName
  public package(set) var schedule: Schedule
  public let policies: Policies

  /// Which other jobs its ticks come after.
  public let after: After
  public let isEnabled: Bool

  /// Since when it has this schedule, when another decided the ticks before.
  package var inForceSince: Instant?

  /// Into how many parts a run is cut.
  public let parts: Int

  /// The share of the keys that its runs are for.
  public let percent: Int

  /// After how long a pause without an end counts as forgotten.
  public let pausedAfter: Duration

  public init(
    name: JobName, schedule: Schedule, policies: Policies = Policies(), after: After = After(),
    isEnabled: Bool = true, parts: Int = 1, percent: Int = 100,
    pausedAfter: Duration = Pause.forgottenAfter
  ) {
    self.name = name
    self.schedule = schedule
    self.policies = policies
    self.after = after
    self.isEnabled = isEnabled
    self.parts = parts
    self.percent = percent
    self.pausedAfter = pausedAfter
  }

  /// How much later than its moment a run of this job starts: always the same share of the jitter,
  /// so that jobs of one minute spread out and each keeps its own second.
  public var delay: Duration {
    let microseconds = Int(policies.jitter / .microseconds(1))
    return microseconds > 0 ? .microseconds(StableHash.of(name.text) % UInt64(microseconds)) : .zero
  }
}
