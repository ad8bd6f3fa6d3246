public import JobKit
import LocalTime

/// The numbers by which leaderboards are made.
public struct LeaderboardRules: Sendable, Equatable {
  /// When the job runs; nothing when nobody has said.
  public var schedule: Schedule?

  /// How long after the moment of a refresh the next one is to be expected that no schedule tells of.
  public var expiresAfter: Duration = .seconds(86_400)

  public init() {}

  /// When readers may expect the refresh after that of `moment`.
  func nextRefresh(after moment: Instant) -> Instant {
    schedule?.nextRun(after: moment) ?? moment + expiresAfter
  }
}
