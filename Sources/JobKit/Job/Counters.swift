/// What a job counts, by name, in the order in which it first counted.
public struct Counters: Sendable, Equatable {
  /// What was counted, in the order in which it was counted first.
  public private(set) var names: [String] = []
  /// The count of each name, in the same order.
  public private(set) var values: [Int] = []

  /// Counters of nothing yet.
  public init() {}

  /// The counters with these names and their values.
  public init(names: [String], values: [Int]) {
    for (name, value) in zip(names, values) { count(name, value) }
  }

  /// The count of a name, zero where it was never counted.
  public subscript(name: String) -> Int {
    names.firstIndex(of: name).map { values[$0] } ?? 0
  }

  /// Counts so many more of a name.
  public mutating func count(_ name: String, _ more: Int = 1) {
    if let index = names.firstIndex(of: name) {
      values[index] += more
    } else {
      names.append(name)
      values.append(more)
    }
  }
}

extension Counters {
  /// Counts what was counted elsewhere too.
  public mutating func add(_ other: Counters) {
    for (name, value) in zip(other.names, other.values) { count(name, value) }
  }

  /// Counts under a name, and once more under the reason for it where there is one: `expired/window_passed` is a
  /// part of `expired`, and the parts of a name add up to what has a reason.
  public mutating func count(_ name: String, because reason: String?, _ more: Int = 1) {
    count(name, more)
    if let reason { count("\(name)/\(reason)", more) }
  }

  /// As in `planned 30, suppressed 9 (opted_out 6, quiet_hours 3)`: a part stands under what it is a part of.
  public var text: String {
    let parts = zip(names, values).filter { whole(of: $0.0) != nil }
    return zip(names, values).filter { whole(of: $0.0) == nil }.map { name, value in
      let own = parts.filter { whole(of: $0.0) == name }
        .map { "\($0.0.dropFirst(name.count + 1)) \($0.1)" }
      return "\(name) \(value)" + (own.isEmpty ? "" : " (\(own.joined(separator: ", ")))")
    }.joined(separator: ", ")
  }

  /// The name that a name counts a part of, where that is counted too.
  private func whole(of name: String) -> String? {
    guard let slash = name.firstIndex(of: "/") else { return nil }
    let whole = String(name[..<slash])
    return names.contains(whole) ? whole : nil
  }
}
