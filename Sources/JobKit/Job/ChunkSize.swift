public import Postgres

/// How many rows a chunk takes: twice as many as the one before when that was quick, half when it took long.
///
/// A chunk that is too short pays for its commit more than for its work; one that is too long keeps others
/// waiting for what it has locked, and loses more when it is killed.
public struct ChunkSize: Sendable, Equatable {
  public private(set) var count: Int
  private let most: Int
  private let least: Int

  /// Begins with `first` rows, and goes up to `most` and down to an eighth of `first`.
  public init(from first: Int, upTo most: Int) {
    (count, self.most) = (first, most)
    least = max(first / 8, 1)
  }

  /// Always so many.
  public init(always count: Int) {
    (self.count, most, least) = (count, count, count)
  }

  private static let quick = Duration.milliseconds(200)
  private static let long = Duration.milliseconds(800)

  /// Learns how long a chunk of this size took.
  mutating func adapt(to took: Duration) {
    if took < Self.quick {
      count = min(count * 2, most)
    } else if took > Self.long {
      count = max(count / 2, least)
    }
  }
}

extension JobContext {
  /// Runs `work` in one transaction after another, as above, and tells it how many rows to take.
  public mutating func inChunks(
    of size: ChunkSize, isDurable: Bool = true,
    _ work: (borrowing Connection, _ progress: inout Progress, _ most: Int) throws -> ChunkStep
  ) throws {
    var size = size
    var begun: ContinuousClock.Instant?
    try inChunks(isDurable: isDurable) { connection, progress in
      let now = ContinuousClock.now
      // From beginning to beginning, so that the commit counts.
      if let begun { size.adapt(to: now - begun) }
      begun = now
      return try work(connection, &progress, size.count)
    }
  }
}
