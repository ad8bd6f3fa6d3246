public import Postgres

/// What a push talks about, the most urgent first.
public enum PushTemplate: String, Sendable, CaseIterable {
  case streak
  case pattern
  case encourage
  case basic
}

extension PushTemplate: PostgresValue {}
