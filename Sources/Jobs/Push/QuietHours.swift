/// The hours of a learner's day in which no push goes out: `[from, to)`, in minutes since midnight.
///
/// Whether an instant is quiet is a question about its local time of day, so changes of the clock need
/// no case of their own.
public struct QuietHours: Sendable, Equatable {
  public let from: Int
  public let to: Int

  public init(from: Int, to: Int) {
    (self.from, self.to) = (from, to)
  }

  public static let byDefault = QuietHours(from: 22 * 60, to: 7 * 60)

  /// Equal ends leave nothing between them: no hour is quiet.
  public var isEmpty: Bool { from == to }

  public func contains(_ minuteOfDay: Int) -> Bool {
    from <= to
      ? (from..<to).contains(minuteOfDay) : minuteOfDay >= from || minuteOfDay < to
  }
}
