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
