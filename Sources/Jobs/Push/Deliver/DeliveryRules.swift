/// The numbers by which pushes are handed over.
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
