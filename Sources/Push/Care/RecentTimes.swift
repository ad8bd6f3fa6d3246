/// When something happened the last few times: enough to know when it happens too often.
public struct RecentTimes: Sendable {
  private let most: Int
  private let period: Duration
  private var times: [ContinuousClock.Instant] = []

  /// So many times within a period are too often.
  public init(most: Int, within period: Duration) {
    self.most = most
    self.period = period
  }

  /// Notes that it happened at `now`; returns whether it has happened too often with that.
  public mutating func note(at now: ContinuousClock.Instant) -> Bool {
    times.append(now)
    times.removeFirst(max(times.count - most, 0))
    guard times.count == most, let first = times.first else { return false }
    return now - first <= period
  }
}
