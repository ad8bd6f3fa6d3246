internal import Config
import JobKit

/// The numbers of the daily push.
public struct PushRules: Sendable, Equatable {
  /// How many minutes after a study a window begins, and how long it is.
  public var delay = 45
  public var length = 45

  /// The minute of the day at which the window of a learner begins who has no study yet.
  public var firstMinute = 19 * 60

  public var quietHours = QuietHours.usual

  /// Over how many days before a push a habit is looked for, and how many studies make one.
  public var habitDays = 14
  public var habitStudies = 3

  /// How many opened pushes within how many days choose the part of the window.
  public var opens = 5
  public var openDays = 60

  /// How many learners of a thousand get no push, so that its worth can be measured.
  public var holdoutPermille = 20

  /// How much time lies between two pushes, whatever the days and zones.
  public var gap = Duration.seconds(8 * 3600)

  /// From how many days on a streak is worth a message.
  public var streakDays = 3

  /// How old the newest review may be, in days.
  public var reviewDays = 7

  /// After how many days without a study a learner is encouraged.
  public var encourageDays = 2

  public var experiments = [
    PushExperiment("encourage", on: .encourage, variants: ["warm": 1, "funny": 1])
  ]

  /// How many seconds before its window begins a push may be decided: the time between two runs.
  public var lead = 300

  /// How many learners are decided in one transaction.
  public var chunk = 2000

  public init() {}
}

/// What the settings may change of the daily push: most of the table `[push]`.
extension PushRules {
  private static let delay = Rule(
    "push", "window_begins", Duration.seconds(2700), in: .zero...(.seconds(43_200)))
  private static let length = Rule(
    "push", "window_length", Duration.seconds(2700), in: .seconds(60)...(.seconds(43_200)))
  private static let first = Rule("push", "first_at", TimeOfDay(19), in: TimeOfDay.all)
  private static let habitDays = Rule("push", "habit_days", 14, in: 1...90)
  private static let habitStudies = Rule("push", "habit_studies", 3, in: 1...90)
  private static let opens = Rule("push", "opens", 5, in: 1...1000)
  private static let openDays = Rule("push", "open_days", 60, in: 1...365)
  private static let holdout = Rule("push", "holdout_permille", 20, in: 0...1000)
  private static let streakDays = Rule("push", "streak_days", 3, in: 1...365)
  private static let reviewDays = Rule("push", "review_days", 7, in: 0...90)
  private static let encourageDays = Rule("push", "encourage_days", 2, in: 1...90)
  private static let warm = Rule("push", "encourage_warm", 1, in: 0...1000)
  private static let funny = Rule("push", "encourage_funny", 1, in: 0...1000)

  static let settings = [
    AnyRule(delay), AnyRule(length), AnyRule(first), AnyRule(habitDays), AnyRule(habitStudies),
    AnyRule(opens), AnyRule(openDays), AnyRule(holdout), AnyRule(streakDays), AnyRule(reviewDays),
    AnyRule(encourageDays), AnyRule(warm), AnyRule(funny),
  ]

  init(_ store: RuleBook) {
    self.init()
    delay = store[Self.delay].minutes
    length = store[Self.length].minutes
    firstMinute = store[Self.first].minute
    quietHours = QuietHours(store)
    (habitDays, habitStudies) = (store[Self.habitDays], store[Self.habitStudies])
    (opens, openDays) = (store[Self.opens], store[Self.openDays])
    holdoutPermille = store[Self.holdout]
    gap = DeliveryRules(store).gap
    (streakDays, reviewDays) = (store[Self.streakDays], store[Self.reviewDays])
    encourageDays = store[Self.encourageDays]
    experiments = [
      PushExperiment(
        "encourage", on: .encourage,
        variants: ["warm": store[Self.warm], "funny": store[Self.funny]])
    ]
  }
}

extension Duration {
  /// So many whole minutes.
  fileprivate var minutes: Int { Int(components.seconds / 60) }
}
