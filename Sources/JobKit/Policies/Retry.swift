/// How often a part that failed is tried again, and after what wait.
public struct Retry: Sendable, Hashable {
  /// How often a part is tried in all.
  public var tries: Int

  public var first: Duration
  /// The longest wait before a try.
  public var longest: Duration

  /// How often a part may lose its worker without coming any further before that counts as a failure:
  /// what ends crash loops.
  public var workerLosses: Int

  /// So many tries, whose waits double from `first` to `longest`.
  public init(
    tries: Int = 5, first: Duration = .seconds(10), longest: Duration = .seconds(900),
    workerLosses: Int = 5
  ) {
    self.tries = tries
    self.first = first
    self.longest = longest
    self.workerLosses = workerLosses
  }

  /// The wait after failure number `failures`, twice the one before, or nil to give up.
  ///
  /// A tenth of it is spread by `seed`, so that parts which failed together do not come back together.
  public func wait(after failures: Int, seed: UInt64) -> Duration? {
    guard failures < tries else { return nil }
    let doubled = first * Double(1 << min(failures - 1, 30))
    return min(doubled, longest) * (0.95 + Double(seed % 1000) / 10_000)
  }
}
