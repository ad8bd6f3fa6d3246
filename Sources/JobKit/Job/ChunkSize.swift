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
      // One that shrank may have fewer than the least.
      count = min(count, max(count / 2, least))
    }
  }

  /// Takes a quarter of the rows, down to a single one; tells whether that is fewer than before.
  mutating func shrink() -> Bool {
    guard count > 1 else { return false }
    count = max(count / 4, 1)
    return true
  }
}

extension JobContext {
  /// Runs `work` in one transaction after another, as above, and tells it how many rows to take.
  ///
  /// A chunk of which a statement took longer than it may is tried again with a quarter of the rows: some
  /// learners have a thousand times as much behind them as others, and sooner or later they meet in a chunk.
  public mutating func inChunks(
    of size: ChunkSize, isDurable: Bool = true,
    _ work: (borrowing Connection, _ progress: inout Progress, _ most: Int) throws -> ChunkStep
  ) throws {
    var (size, isOver) = (size, false)
    while !isOver {
      do {
        try inChunksThatFit(&size, isDurable: isDurable, work)
        isOver = true
      } catch let error as PostgresError {
        // A dry run is one transaction from end to end, which has failed with its chunk.
        guard case .deadline = error, !isDryRun, size.shrink() else { throw error }
      }
    }
  }

  private mutating func inChunksThatFit(
    _ size: inout ChunkSize, isDurable: Bool,
    _ work: (borrowing Connection, _ progress: inout Progress, _ most: Int) throws -> ChunkStep
  ) throws {
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
