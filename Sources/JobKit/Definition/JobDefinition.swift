public import LocalTime
public import Migrations

/// What a job is, and when it runs unless the settings say otherwise.
public struct JobDefinition: Sendable, Hashable {
  /// What the job is called, in settings, commands, tables and metrics.
  public let name: JobName
  /// What it does for whom, in one sentence that begins with a verb.
  public let purpose: String
  /// When it runs unless the settings say otherwise.
  public let schedule: DefaultSchedule
  /// The zone of its schedule; nothing means the zone of `[time]`.
  public let zone: String?
  /// What becomes of ticks at which clocks change.
  public let dst: CronSchedule.ClockChanges
  /// Whether it runs unless the settings say otherwise.
  public let isEnabled: Bool
  /// How its runs are begun, repeated and bounded unless the settings say otherwise.
  public let policies: Policies
  /// Which other jobs its ticks come after unless the settings say otherwise.
  public let after: After
  /// Into how many parts a run is cut, which any worker of any host may take.
  public let parts: Int
  /// What a run by hand may ask of it; anything else is refused there.
  ///
  /// Runs that the ledger has already keep what they were asked, whether the job still knows it or not.
  public let arguments: [JobArgument]
  /// The tables that it works with: without one of them its ticks are skipped, and all other jobs run.
  public let needs: [TableNeed]

  /// A schedule as source code writes it; it is read together with the settings.
  public enum DefaultSchedule: Sendable, Hashable {
    /// By five cron fields, or six with seconds first.
    case cron(String)
    /// Each so long after the last.
    case every(Duration)
  }

  /// A job of this name; all but name, purpose and schedule have a default.
  public init(
    name: JobName, purpose: String, schedule: DefaultSchedule, zone: String? = nil,
    dst: CronSchedule.ClockChanges = .once, isEnabled: Bool = true,
    policies: Policies = Policies(), after: After = After(), parts: Int = 1,
    arguments: [JobArgument] = [], needs: [TableNeed] = []
  ) {
    self.name = name
    self.purpose = purpose
    self.schedule = schedule
    self.zone = zone
    self.dst = dst
    self.isEnabled = isEnabled
    self.policies = policies
    self.after = after
    self.parts = parts
    self.arguments = arguments
    self.needs = needs
  }
}
