/// The numbers by which leaderboards are made.
public struct LeaderboardRules: Sendable, Equatable {
  /// How long after the moment of a refresh the next one is to be expected.
  public var expiresAfter: Duration = .seconds(86_400)

  public init() {}
}
