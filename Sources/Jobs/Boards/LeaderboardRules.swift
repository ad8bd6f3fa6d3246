internal import Config
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

/// What the settings may change of leaderboards: the table `[leaderboards]`.
extension LeaderboardRules {
  private static let expiresAfter = Rule(
    "leaderboards", "expires_after", Duration.seconds(86_400),
    in: .seconds(60)...(.seconds(30 * 86_400)))

  static let settings = [AnyRule(expiresAfter)]

  init(_ store: RuleBook) {
    self.init()
    expiresAfter = store[Self.expiresAfter]
  }
}
