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
  public let lines: [String]
  public let facts: JSON

  public init(lines: [String], facts: JSON) {
    (self.lines, self.facts) = (lines, facts)
  }
}
