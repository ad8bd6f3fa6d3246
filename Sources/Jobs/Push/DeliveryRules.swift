package import Config
import JobKit

/// The numbers by which pushes are sent.
public struct DeliveryRules: Sendable, Equatable {
  /// How many pushes a part has in the hands of the transport at most: what a crash leaves uncertain.
  public var window: Int

  /// How much time lies between two pushes to a learner at least.
  public var gap: Duration

  /// When no learner without hours of their own is pushed.
  public var quietHours: QuietHours

  /// How long a push that was not sent waits, doubled with each further try up to `longestWait`.
  public var firstWait: Duration
  public var longestWait: Duration

  public init(
    window: Int = 200, gap: Duration = .seconds(8 * 3600), quietHours: QuietHours = .usual,
    firstWait: Duration = .seconds(60), longestWait: Duration = .seconds(480)
  ) {
    self.window = window
    self.gap = gap
    self.quietHours = quietHours
    self.firstWait = firstWait
    self.longestWait = longestWait
  }

  /// How long to wait after a push was not sent for the `tries`-th time.
  func wait(after tries: Int) -> Duration {
    min(firstWait * Double(1 << min(max(tries, 1) - 1, 20)), longestWait)
  }
}

/// What the settings may change of the hand-over of pushes: the rest of the table `[push]`.
extension DeliveryRules {
  private static let gap = Rule(
    "push", "gap", Duration.seconds(28_800), in: .zero...(.seconds(86_400)))
  private static let window = Rule("push", "in_flight", 200, in: 1...10_000)
  private static let firstWait = Rule(
    "push", "first_wait", Duration.seconds(60), in: .seconds(1)...(.seconds(3600)))
  private static let longestWait = Rule(
    "push", "longest_wait", Duration.seconds(480), in: .seconds(1)...(.seconds(3600)))

  static let settings =
    QuietHours.settings + [
      AnyRule(gap), AnyRule(window), AnyRule(firstWait), AnyRule(longestWait),
    ]

  package init(_ store: RuleBook) {
    self.init(
      window: store[Self.window], gap: store[Self.gap], quietHours: QuietHours(store),
      firstWait: store[Self.firstWait], longestWait: store[Self.longestWait])
  }
}

/// The quiet hours of learners who have none of their own.
extension QuietHours {
  private static let from = Rule("push", "quiet_from", TimeOfDay(22), in: TimeOfDay.all)
  private static let to = Rule("push", "quiet_to", TimeOfDay(7), in: TimeOfDay.all)

  static let settings = [AnyRule(from), AnyRule(to)]

  package init(_ store: RuleBook) {
    self.init(from: store[Self.from].minute, to: store[Self.to].minute)
  }
}
