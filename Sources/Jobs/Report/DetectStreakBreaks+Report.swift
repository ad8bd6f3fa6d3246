public import JobKit
public import LocalTime
public import Postgres

extension DetectStreakBreaks: Reporter {
  /// Settling rewards brings streaks up to date as well.
  public var countedBy: [JobName] { [definition.name, JobDefinition.settleRewards.name] }

  /// What became of streaks; what the first run replayed of the past is no part of it.
  public func report(
    on period: Range<Instant>, counted: Counters, at now: Instant,
    _ connection: borrowing Connection
  ) throws -> LearnerReport {
    LearnerReport(
      "Streaks",
      [
        .init(counted["extended"], "days added"), .init(counted["broken"], "broken"),
        .init(counted["repairable"], "repairs offered"), .init(counted["repaired"], "repaired"),
      ])
  }
}
