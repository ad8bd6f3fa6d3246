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
