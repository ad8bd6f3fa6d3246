public import Config
public import LocalTime
public import Postgres

/// A job that can say of one row of its table what a run would do with it, and why.
public protocol KeyExplainer: Job {
  /// Explains the row that `key` names, as of `now`: its columns in order, with a comma between two.
  func explain(
    key: String, at now: Instant, in zones: ZoneDatabase, _ connection: borrowing Connection
  ) throws -> KeyExplanation
}

/// What there is to say about a row, a sentence each, and the facts behind them.
public struct KeyExplanation: Sendable {
  /// What people are told, a sentence each.
  public let lines: [String]
  /// The same for programs.
  public let facts: JSON

  /// An explanation in sentences and in facts.
  public init(lines: [String], facts: JSON) {
    (self.lines, self.facts) = (lines, facts)
  }
}
