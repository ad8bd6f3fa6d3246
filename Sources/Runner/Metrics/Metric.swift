/// One figure that a process shows, as Prometheus knows it: its name with the unit, its kind, its labels.
public struct Metric: Sendable {
  public let name: String
  public let kind: Kind

  /// The names of its labels, in the order in which their values are given.
  public let labels: [String]

  /// What it is, in one line.
  public let help: String

  public enum Kind: Sendable, Equatable {
    case counter
    case gauge
    /// The upper bounds of its buckets, the smallest first.
    case histogram([Double])
  }

  public init(_ name: String, _ kind: Kind, by labels: [String] = [], _ help: String) {
    self.name = name
    self.kind = kind
    self.labels = labels
    self.help = help
  }
}

extension Metric: Hashable {
  public static func == (one: Metric, other: Metric) -> Bool { one.name == other.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Metric {
  /// The word by which Prometheus calls the kind.
  public var kindName: String {
    switch kind {
    case .counter: "counter"
    case .gauge: "gauge"
    case .histogram: "histogram"
    }
  }
}
