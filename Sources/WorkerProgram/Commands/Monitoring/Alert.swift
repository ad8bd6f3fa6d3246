/// One alert, as Prometheus raises it.
struct Alert {
  let name: String

  /// When this holds for as long as `lasting`, the alert is raised.
  let condition: String
  let lasting: String
  let severity: Severity

  /// What is the matter, in one sentence; it may quote the alert's labels.
  let summary: String

  /// What to do first.
  let advice: String

  /// The one job that it is about; Prometheus wants two rules of one name to differ in their labels.
  var job: String?

  enum Severity: String {
    /// Somebody is woken.
    case page
    /// Somebody looks during the day.
    case ticket
  }
}

extension Alert {
  /// The rule as a list's element of YAML, in two-space steps from the sixth column on.
  var yaml: String {
    """
          - alert: \(name)
            expr: \(condition)
            for: \(lasting)
            labels:
              severity: \(severity.rawValue)\(job.map { "\n          job: \($0)" } ?? "")
            annotations:
              summary: \(Self.quoted(summary))
              description: \(Self.quoted(advice))

    """
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "''"))'"
  }
}
