/// How many a run may touch: outside of that, somebody has to look before the first effect.
public struct Bounds: Sendable, Hashable {
  /// A run that would touch fewer is held; nil for no such bound.
  public var fewest: Int?
  /// A run that would touch more is held; nil for no such bound.
  public var most: Int?

  /// How many times the usual number, the median of its latest runs.
  public var timesUsual: Double?

  /// Bounds of a run, of which each may be left out.
  public init(fewest: Int? = nil, most: Int? = nil, timesUsual: Double? = nil) {
    (self.fewest, self.most, self.timesUsual) = (fewest, most, timesUsual)
  }

  /// Why a run that would touch `planned` must wait for approval, or nothing.
  ///
  /// A job that has hardly run has nothing that is usual.
  package func objection(to planned: Int, usual: Int?) -> String? {
    if let most, planned > most { return "would touch \(planned), more than \(most)" }
    if let fewest, planned < fewest { return "would touch \(planned), fewer than \(fewest)" }
    if let timesUsual, let usual, Double(planned) > timesUsual * Double(max(usual, 1)) {
      return "would touch \(planned), more than \(timesUsual) times the usual \(usual)"
    }
    return nil
  }
}
