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
  public init(_ book: RuleBook = RuleBook()) {
    push = PushRules(book)
    delivery = DeliveryRules(book)
    sweep = SweepRules(book)
    streaks = StreakRules(book)
    rewards = RewardRules(book)
    reviews = ReviewRules(book)
    leaderboards = LeaderboardRules(book)
    widgets = WidgetRules(book)
  }

  /// All that the settings may change, in the order in which they show it.
  public static let settings: [AnyRule] =
    PushPlaces.settings + PushRules.settings + DeliveryRules.settings + SweepRules.settings
    + ProviderRules.settings
    + StreakRules.settings + RewardRules.settings + ReviewRules.settings
    + LeaderboardRules.settings + WidgetRules.settings
}
