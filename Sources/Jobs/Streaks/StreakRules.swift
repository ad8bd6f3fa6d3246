/// The numbers of streaks and brain tokens.
public struct StreakRules: Sendable, Equatable {
  /// How long after the end of a day what was studied offline may still arrive in time.
  public var grace: Duration

  /// How many brain tokens a learner can hold.
  public var mostTokens: Int

  /// How many days of a chain earn one.
  public var daysForToken: Int

  /// What else the days of a chain earn, once for each.
  public var milestones: [Milestone]

  /// A number of days, and what a chain earns that reaches it.
  public struct Milestone: Sendable, Equatable {
    public let days: Int
    public let kind: AwardKind

    public init(days: Int, kind: AwardKind) {
      (self.days, self.kind) = (days, kind)
    }
  }

  public init(
    grace: Duration = .seconds(3 * 3600), mostTokens: Int = 3, daysForToken: Int = 7,
    milestones: [Milestone] = [
      Milestone(days: 3, kind: .title), Milestone(days: 7, kind: .theme),
      Milestone(days: 14, kind: .title), Milestone(days: 30, kind: .theme),
    ]
  ) {
    self.grace = grace
    self.mostTokens = mostTokens
    self.daysForToken = daysForToken
    self.milestones = milestones
  }
}

/// What a learner can be given for the days of a chain.
public enum AwardKind: String, Sendable {
  case title
  case token
  case theme
}
