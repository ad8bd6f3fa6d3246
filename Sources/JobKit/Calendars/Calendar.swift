public import LocalTime

/// Days on which jobs do not run, under a name that people know them by, such as "holidays".
public struct Calendar: Sendable, Hashable {
  /// What jobs call it.
  public let name: String
  /// Its days, as they were written.
  public let days: [Days]

  /// A calendar of these days.
  public init(name: String, days: [Days]) {
    self.name = name
    self.days = days
  }

  /// Whether a date is one of its days.
  public func contains(_ date: CivilDate) -> Bool {
    days.contains { $0.contains(date) }
  }

  /// The last of the days that follow each other from `date` on, or nothing when it is not one of them.
  func lastDay(from date: CivilDate) -> CivilDate? {
    days.compactMap { $0.contains(date) ? $0.lastDay(from: date) : nil }.max()
  }
}
