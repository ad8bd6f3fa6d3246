/// The right to write about one part: given by a claim, lost to the next one.
public struct Fence: Sendable, Hashable {
  /// The number of the run.
  public let run: Int
  /// The number of the part, from zero on.
  public let part: Int
  /// How often the part had been claimed when it was claimed for this fence.
  public let epoch: Int

  package init(run: Int, part: Int, epoch: Int) {
    self.run = run
    self.part = part
    self.epoch = epoch
  }
}

/// A part now belongs to another worker, its run is over, or the server has forgotten what this worker
/// committed: nothing of this one may be written.
public struct FenceLost: Error, Equatable {
  /// The fence that did not hold.
  public let fence: Fence

  package init(fence: Fence) {
    self.fence = fence
  }
}

extension FenceLost: CustomStringConvertible {
  public var description: String {
    "part \(fence.part) of run \(fence.run) is no longer ours (epoch \(fence.epoch)): this worker"
      + " was silent for longer than its lease, or the server has forgotten what it committed;"
      + " what it was writing is rolled back"
  }
}
