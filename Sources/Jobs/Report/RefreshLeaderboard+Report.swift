public import JobKit
public import LocalTime
public import Postgres

extension RefreshLeaderboard: Reporter {
  /// How often boards were renewed, and how fresh they are.
  public func report(
    on period: Range<Instant>, counted: Counters, at now: Instant,
    _ connection: borrowing Connection
  ) throws -> LearnerReport {
    let row = try connection.run(
      """
      SELECT min(last_updated) AS oldest, count(*) FILTER (WHERE cache_expires_at < \(now)) AS stale
      FROM learning.leaderboards WHERE is_current
      """
    ).only
    let (oldest, stale): (Instant?, Int) = (try row["oldest"], try row["stale"])
    let remark = oldest.map { oldest in
      stale == 0
        ? "all fresh: the oldest was made \(Self.hours(now - oldest)) ago"
        : "\(stale) out of date: the oldest was made \(Self.hours(now - oldest)) ago"
    }
    return LearnerReport(
      "Leaderboards", [.init(counted["boards"], "renewed")], remark: remark ?? "there are none yet")
  }

  private static func hours(_ time: Duration) -> String {
    let hours = Int(time / .seconds(3600))
    return hours == 0 ? "less than an hour" : hours == 1 ? "an hour" : "\(hours) hours"
  }
}
