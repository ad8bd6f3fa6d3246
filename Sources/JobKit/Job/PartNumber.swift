/// One of the parts of a run.
public struct PartNumber: Sendable, Hashable {
  /// Counted from 0.
  public let number: Int
  /// How many parts the run has.
  public let count: Int

  /// The part of this number, from zero on, of so many.
  public init(number: Int, count: Int) {
    self.number = number
    self.count = count
  }
}
