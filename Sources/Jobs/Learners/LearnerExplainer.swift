public import Config
public import JobKit
public import LocalTime
public import Postgres

/// A job that can say what it decided for one learner, or would decide now.
public protocol LearnerExplainer: Job {
  /// Explains the learner's local day, or today as of `now`, by the rules that the job itself goes by.
  func explain(
    _ learner: Int, on day: CivilDate?, at now: Instant, in zones: ZoneDatabase,
    _ connection: borrowing Connection
  ) throws -> LearnerExplanation
}

/// What there is to say about a learner, a sentence each, and the facts behind them.
public struct LearnerExplanation: Sendable {
  public let lines: [String]
  public let facts: JSON

  public init(lines: [String], facts: JSON) {
    self.lines = lines
    self.facts = facts
  }
}

/// There is no such learner.
public struct UnknownLearner: Error, Equatable, CustomStringConvertible {
  let learner: Int

  public init(_ learner: Int) {
    self.learner = learner
  }

  public var description: String {
    "there is no learner \(learner) in learning.users"
  }
}
