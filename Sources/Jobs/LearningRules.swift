public import Config
internal import JobKit

/// The numbers by which the learning jobs go, as the settings have them.
public struct LearningRules: Sendable, Equatable {
  public var push: PushRules
  public var delivery: DeliveryRules
  public var sweep: SweepRules
  public var streaks: StreakRules
  public var rewards: RewardRules
  public var reviews: ReviewRules
  public var leaderboards: LeaderboardRules
  public var widgets: WidgetRules

  /// The rules of a book, or of one in which all is as it is by default.
  public init(_ store: RuleBook = RuleBook()) {
    push = PushRules(store)
    delivery = DeliveryRules(store)
    sweep = SweepRules(store)
    streaks = StreakRules(store)
    rewards = RewardRules(store)
    reviews = ReviewRules(store)
    leaderboards = LeaderboardRules(store)
    widgets = WidgetRules(store)
  }

  /// All that the settings may change, in the order in which they show it.
  public static let settings: [AnyRule] =
    PushPlaces.settings + PushRules.settings + DeliveryRules.settings + SweepRules.settings
    + ProviderRules.settings
    + StreakRules.settings + RewardRules.settings + ReviewRules.settings
    + LeaderboardRules.settings + WidgetRules.settings
}
