/// How many of some durations were how long.
public struct Distribution: Sendable, Equatable {
  /// The longest duration of each place, in seconds; one more place is for all that are longer.
  public let bounds: [Double]
  public private(set) var counts: [Int]

  /// All of them together, in seconds.
  public private(set) var sum = 0.0

  public init(upTo bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  public var count: Int { counts.reduce(0, +) }

  /// Counts one; what a clock that was set back makes negative counts as nothing.
  public mutating func add(_ duration: Duration) {
    let seconds = max(duration / .seconds(1), 0)
    counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] += 1
    sum += seconds
  }

  /// What a share of them, from 0 to 1, is no longer than, in seconds.
  ///
  /// It is the bound of a place: nothing where there is none, or where it is longer than each bound.
  public func quantile(_ share: Double) -> Double? {
    let wanted = Double(count) * share
    guard count > 0 else { return nil }
    var passed = 0
    for (bound, count) in zip(bounds, counts) {
      passed += count
      if Double(passed) >= wanted { return bound }
    }
    return nil
  }
}
