internal import Config
import JobKit

/// The numbers of rewards.
public struct RewardRules: Sendable, Equatable {
  /// How long before it was received the server's clock may have been seen.
  public var oldestClock: Duration

  /// How long a reward waits for the session that has earned it.
  public var sessionWithin: Duration

  public init(
    oldestClock: Duration = .seconds(7 * 86_400), sessionWithin: Duration = .seconds(86_400)
  ) {
    self.oldestClock = oldestClock
    self.sessionWithin = sessionWithin
  }
}

/// What the settings may change of rewards: the table `[rewards]`.
extension RewardRules {
  private static let oldestClock = Rule(
    "rewards", "oldest_clock", Duration.seconds(7 * 86_400),
    in: .seconds(3600)...(.seconds(366 * 86_400)))
  private static let sessionWithin = Rule(
    "rewards", "session_within", Duration.seconds(86_400), in: .zero...(.seconds(30 * 86_400)))

  static let settings = [AnyRule(oldestClock), AnyRule(sessionWithin)]

  init(_ store: RuleBook) {
    self.init(oldestClock: store[Self.oldestClock], sessionWithin: store[Self.sessionWithin])
  }
}
