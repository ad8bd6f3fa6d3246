public import JobKit
public import LocalTime
public import Postgres

extension SettleRewards: Reporter {
  /// How many rewards were settled, and whether some have waited for long.
  public func report(
    on period: Range<Instant>, counted: Counters, at now: Instant,
    _ connection: borrowing Connection
  ) throws -> LearnerReport {
    LearnerReport(
      "Rewards",
      [
        .init(counted["settled"], "settled"), .init(counted["duplicate"], "already settled before"),
      ])
  }
}
