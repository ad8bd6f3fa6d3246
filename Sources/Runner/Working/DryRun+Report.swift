public import JobKit

extension DryRun {
  /// What the part would do.
  public enum End: Sendable {
    case succeeded(Outcome)
    case failed(String)
  }

  /// What a dry run has found out.
  public struct Report: Sendable {
    /// How many the whole run would touch, when the job says so.
    public let planned: Int?

    /// Why a run in earnest would wait for approval.
    public let objection: String?

    public let end: End
    public let progress: Progress

    /// What would be different in which tables.
    public let changes: [TableChange]
  }
}

extension DryRun.Report: CustomStringConvertible {
  /// The report in a sentence, then a line for each table that would change, and for each example.
  public var description: String {
    let tables = changes.map { "would \($0)" }
    return ([plan + words + counted] + tables + progress.examples).joined(separator: "\n  ")
  }

  private var plan: String {
    if let objection { return "would be held, because the run \(objection); approved, it " }
    return planned.map { "the run would touch \($0); " } ?? ""
  }

  private var words: String {
    switch end {
    case .succeeded(let outcome): "would succeed: \(outcome.summary)"
    case .failed(let error): "would fail: \(error)"
    }
  }

  private var counted: String {
    progress.counters.names.isEmpty ? "" : " (\(progress.counters.text))"
  }
}
