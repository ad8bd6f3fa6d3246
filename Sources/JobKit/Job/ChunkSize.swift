public import Postgres

/// How many rows a chunk takes: twice as many as the one before when that was quick, half when it took long.
///
/// A chunk that is too short pays for its commit more than for its work; one that is too long keeps others
/// waiting for what it has locked, and loses more when it is killed.
public struct ChunkSize: Sendable, Equatable {
  /// How many the next chunk has at most.
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

  /// Learns how long a chunk of this size took: below the least it grows unless that was long.
  mutating func adapt(to took: Duration) {
    if took < Self.quick || count < least && took <= Self.long {
      count = min(count * 2, most)
    } else if took > Self.long {
      count = min(count, max(count / 2, least))
    }
  }

  /// Takes a sixteenth of the rows, down to a single one; tells whether that is fewer than before.
  mutating func shrink() -> Bool {
    guard count > 1 else { return false }
    count = max(count / 16, 1)
    return true
  }
}

extension JobContext {
  /// Runs `work` in one transaction after another, as above, and tells it how many rows to take.
  ///
  /// A chunk of which a statement took longer than it may is tried again with a sixteenth of the rows: some
  /// keys have a thousand times as many rows as others, and sooner or later they meet in a chunk.
  /// How often that was is counted.
  public mutating func inChunks(
    of size: ChunkSize, isDurable: Bool = true,
    _ work: (borrowing Connection, _ progress: inout Progress, _ most: Int) throws -> ChunkStep
  ) throws {
    var (size, cuts, isOver) = (size, progress.counters[Self.cutOff], false)
    while !isOver {
      do {
        try inChunksThatFit(&size, isDurable: isDurable) { connection, progress, most in
          progress.counters.raise(Self.cutOff, to: cuts)
          return try work(connection, &progress, most)
        }
        isOver = true
      } catch let error as PostgresError {
        // A dry run is one transaction from end to end, which has failed with its chunk.
        guard case .deadline = error, !isDryRun, size.shrink() else { throw error }
        cuts += 1
      }
    }
  }

  private static var cutOff: String { "chunks cut off" }

  private mutating func inChunksThatFit(
    _ size: inout ChunkSize, isDurable: Bool,
    _ work: (borrowing Connection, _ progress: inout Progress, _ most: Int) throws -> ChunkStep
  ) throws {
    var last: (begun: ContinuousClock.Instant, progress: Progress)?
    try inChunks(isDurable: isDurable) { connection, progress in
      let now = ContinuousClock.now
      // From beginning to beginning, so that the commit counts; a chunk that is tried again says nothing.
      if let last, last.progress != progress { size.adapt(to: now - last.begun) }
      last = (now, progress)
      return try work(connection, &progress, size.count)
    }
  }
}

extension Counters {
  fileprivate mutating func raise(_ name: String, to value: Int) {
    if value > self[name] { count(name, value - self[name]) }
  }
}
