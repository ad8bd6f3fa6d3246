/// The right to write about one part: given by a claim, lost to the next one.
public struct Fence: Sendable, Hashable {
  public let run: Int
  public let part: Int
  public let epoch: Int
}

/// A part now belongs to another worker, or its run is over: nothing of this one may be written.
public struct FenceLost: Error, Equatable {
  public let fence: Fence
}

extension FenceLost: CustomStringConvertible {
  public var description: String {
    "part \(fence.part) of run \(fence.run) is no longer ours (epoch \(fence.epoch) has passed):"
      + " this worker was silent for longer than its lease, and what it was writing is rolled back"
  }
}
