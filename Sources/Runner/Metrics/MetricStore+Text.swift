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
