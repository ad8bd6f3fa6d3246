/// A minute of a day by the clock on the wall, such as 22:00.
public struct TimeOfDay: Sendable, Hashable, Comparable {
  /// Counted from midnight, 0 to 1439.
  public let minute: Int

  /// The minute of that number; nothing when a day has none.
  public init?(minute: Int) {
    guard (0..<1440).contains(minute) else { return nil }
    self.minute = minute
  }

  /// A time of day that source code names.
  public init(_ hour: Int, _ minute: Int = 0) {
    precondition((0..<24).contains(hour) && (0..<60).contains(minute), "no clock shows that")
    self.minute = hour * 60 + minute
  }

  /// Every time of day.
  public static let all = TimeOfDay(0)...TimeOfDay(23, 59)

  public static func < (one: TimeOfDay, other: TimeOfDay) -> Bool { one.minute < other.minute }
}

extension TimeOfDay: RuleValue {
  public static var kindName: String { "a time of day" }

  public init?(_ written: WrittenRule) {
    guard case .text(let text) = written else { return nil }
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count == 2, fields.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isNumber) }),
      let hour = Int(fields[0]), let minute = Int(fields[1]), hour < 24, minute < 60
    else { return nil }
    self.minute = hour * 60 + minute
  }

  public var written: String {
    [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
