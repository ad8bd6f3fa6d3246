/// The figures themselves: a value that is cheap to copy, so that it can be read while it grows.
public struct MetricStore: Sendable {
  /// The values of a metric, by those of its labels.
  private(set) var series: [Metric: [[String]: Sample]] = [:]

  enum Sample: Sendable, Equatable {
    case number(Double)
    /// How many observations each bucket got, the last one being without a bound, and their sum.
    case distribution(counts: [Int], sum: Double)
  }

  public init() {}
}

extension MetricStore {
  /// Adds to a counter, or to a gauge; with 0 it makes the series known.
  public mutating func add(_ more: Double = 1, to metric: Metric, _ labels: String...) {
    series[metric, default: [:]][labels] = .number(number(metric, labels) + more)
  }

  /// Says what a gauge shows.
  public mutating func set(_ metric: Metric, _ labels: String..., to value: Double) {
    series[metric, default: [:]][labels] = .number(value)
  }

  /// Counts one observation into a histogram.
  public mutating func observe(_ value: Double, in metric: Metric, _ labels: String...) {
    guard case .histogram(let bounds) = metric.kind else { return }
    var (counts, sum) = distribution(metric, labels, bounds: bounds)
    counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
    sum += value
    series[metric, default: [:]][labels] = .distribution(counts: counts, sum: sum)
  }

  /// Says what a histogram shows: how many observations each bucket has, the last one being without a bound.
  public mutating func set(_ metric: Metric, _ labels: String..., counts: [Int], sum: Double) {
    guard case .histogram(let bounds) = metric.kind, counts.count == bounds.count + 1 else {
      return
    }
    series[metric, default: [:]][labels] = .distribution(counts: counts, sum: sum)
  }

  /// Makes a histogram known that nothing was observed for yet.
  mutating func expect(_ metric: Metric, _ labels: String...) {
    guard case .histogram(let bounds) = metric.kind, series[metric]?[labels] == nil else { return }
    let (counts, sum) = distribution(metric, labels, bounds: bounds)
    series[metric, default: [:]][labels] = .distribution(counts: counts, sum: sum)
  }

  private func number(_ metric: Metric, _ labels: [String]) -> Double {
    if case .number(let value) = series[metric]?[labels] { value } else { 0 }
  }

  private func distribution(
    _ metric: Metric, _ labels: [String], bounds: [Double]
  ) -> (counts: [Int], sum: Double) {
    if case .distribution(let counts, let sum) = series[metric]?[labels] { return (counts, sum) }
    return (Array(repeating: 0, count: bounds.count + 1), 0)
  }
}

extension MetricStore {
  /// The figures as Prometheus reads them: its text format, version 0.0.4.
  public var text: String {
    Metric.all.map(text).joined()
  }

  private func text(of metric: Metric) -> String {
    guard let values = series[metric], !values.isEmpty else { return "" }
    let sorted = values.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) \(metric.kindName)\n"
      + sorted.map { lines(of: metric, $0.key, $0.value) }.joined()
  }

  private func lines(of metric: Metric, _ labels: [String], _ sample: Sample) -> String {
    let named = Array(zip(metric.labels, labels))
    switch (sample, metric.kind) {
    case (.number(let value), _): return Self.line(metric.name, named, value)
    case (.distribution(let counts, let sum), .histogram(let bounds)):
      var total = 0
      var text = ""
      for (bound, count) in zip(bounds.map(Self.written) + ["+Inf"], counts) {
        total += count
        text += Self.line("\(metric.name)_bucket", named + [("le", bound)], Double(total))
      }
      return text + Self.line("\(metric.name)_sum", named, sum)
        + Self.line("\(metric.name)_count", named, Double(total))
    case (.distribution, _): return ""
    }
  }

  private static func line(
    _ name: String, _ labels: [(name: String, value: String)], _ value: Double
  ) -> String {
    let inside = labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
    return "\(name)\(inside.isEmpty ? "" : "{\(inside)}") \(written(value))\n"
  }

  /// A whole number without a fraction, as people write it.
  private static func written(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n", "\r\n": escaped += "\\n"
      default: escaped.append(character)
      }
    }
  }
}
