public import JobKit
public import LocalTime
public import Postgres

extension DetectStreakBreaks: Reporter {
  /// What became of streaks.
  public func report(
    on period: Range<Instant>, counted: Counters, at now: Instant,
    _ connection: borrowing Connection
  ) throws -> LearnerReport {
    LearnerReport(
      "Streaks",
      [
        .init(counted["extended"], "grew by a day"), .init(counted["broken"], "broken"),
        .init(counted["repaired"], "repaired"),
        .init(counted["repairable"], "could be repaired"),
      ])
  }
}
