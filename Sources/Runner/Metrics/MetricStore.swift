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
