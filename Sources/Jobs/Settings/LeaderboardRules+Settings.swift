internal import Config
import JobKit

/// What the settings may change of leaderboards: the table `[leaderboards]`.
extension LeaderboardRules {
  private static let expiresAfter = Rule(
    "leaderboards", "expires_after", Duration.seconds(86_400),
    in: .seconds(60)...(.seconds(30 * 86_400)))

  static let settings = [AnyRule(expiresAfter)]

  init(_ book: RuleBook) {
    self.init()
    expiresAfter = book[Self.expiresAfter]
  }
}
