public import LocalTime

/// Days on which jobs do not run, under a name that people know them by, such as "holidays".
public struct Calendar: Sendable, Hashable {
  public let name: String
  public let days: [Days]

  public init(name: String, days: [Days]) {
    self.name = name
    self.days = days
  }

  public func contains(_ date: CivilDate) -> Bool {
    days.contains { $0.contains(date) }
  }

  /// The last of the days that follow each other from `date` on, or nothing when it is not one of them.
  func lastDay(from date: CivilDate) -> CivilDate? {
    days.compactMap { $0.contains(date) ? $0.lastDay(from: date) : nil }.max()
  }
}
