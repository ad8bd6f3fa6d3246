internal import Config
import JobKit

/// What the settings may change of rewards: the table `[rewards]`.
extension RewardRules {
  private static let oldestClock = Rule(
    "rewards", "oldest_clock", Duration.seconds(7 * 86_400),
    in: .seconds(3600)...(.seconds(366 * 86_400)))
  private static let sessionWithin = Rule(
    "rewards", "session_within", Duration.seconds(86_400), in: .zero...(.seconds(30 * 86_400)))

  static let settings = [AnyRule(oldestClock), AnyRule(sessionWithin)]

  init(_ book: RuleBook) {
    self.init(oldestClock: book[Self.oldestClock], sessionWithin: book[Self.sessionWithin])
  }
}
