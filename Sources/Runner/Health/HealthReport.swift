public import Config
internal import JobKit
public import LocalTime

/// Whether something is well, as of when, and if not why.
public struct HealthReport: Sendable, Equatable {
  public let aspect: Aspect
  public let asOf: Instant?
  public let problems: [HealthProblem]

  /// What is asked about.
  public enum Aspect: String, Sendable, CaseIterable {
    /// The process is alive and its loops turn.
    case live
    /// It decides and works.
    case ready
    /// Every job of every daemon is on time.
    case schedule
  }

  public init(_ aspect: Aspect, asOf: Instant? = nil, _ problems: [HealthProblem]) {
    self.aspect = aspect
    self.asOf = asOf
    self.problems = problems
  }

  public var isHealthy: Bool { problems.isEmpty }
}

extension HealthReport {
  public var json: JSON { json(of: nil) }

  /// The same with the name of the daemon that answers, where its ledger knows it.
  public func json(of daemon: String?) -> JSON {
    [
      "healthy": .boolean(isHealthy), "as_of": JSON(asOf?.description), "daemon": JSON(daemon),
      "problems": .array(
        problems.map { problem in
          [
            "problem": .string(problem.word), "job": JSON(problem.job?.text),
            "says": .string(problem.description),
          ]
        }),
    ]
  }

  /// A line for each problem, or "ok".
  public var text: String { text(\.description) }

  /// The same with instants as `write` writes them.
  public func text(_ write: (Instant) -> String) -> String {
    isHealthy ? "ok\n" : problems.map { "\($0.text(write))\n" }.joined()
  }
}
