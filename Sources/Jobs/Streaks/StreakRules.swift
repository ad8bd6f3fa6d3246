internal import Config
import JobKit

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

/// What the settings may change of streaks: the table `[streaks]`.
extension StreakRules {
  private static let grace = Rule(
    "streaks", "grace", Duration.seconds(10_800), in: .zero...(.seconds(86_400)))
  private static let mostTokens = Rule("streaks", "most_tokens", 3, in: 0...3)
  private static let daysForToken = Rule("streaks", "days_for_token", 7, in: 1...366)
  private static let titles = milestones("titles_at", "3 14")
  private static let themes = milestones("themes_at", "7 30")

  static let settings = [
    AnyRule(grace), AnyRule(mostTokens), AnyRule(daysForToken), AnyRule(titles), AnyRule(themes),
  ]

  init(_ store: RuleBook) {
    let milestones =
      Self.milestones(in: store[Self.titles], kind: .title)
      + Self.milestones(in: store[Self.themes], kind: .theme)
    self.init(
      grace: store[Self.grace], mostTokens: store[Self.mostTokens],
      daysForToken: store[Self.daysForToken], milestones: milestones.sorted { $0.days < $1.days })
  }

  private static func milestones(in text: String, kind: AwardKind) -> [Milestone] {
    (NumberList(text)?.numbers ?? []).map { Milestone(days: $0, kind: kind) }
  }

  private static func milestones(_ key: String, _ standard: String) -> Rule<String> {
    Rule("streaks", key, standard, that: "of numbers from 1 to 3660 with spaces between") {
      NumberList($0)?.allSatisfy(in: 1...3660) == true
    }
  }
}
