import Postgres

/// What a push follows, and so when its window is.
enum PushKind: String, Sendable, PostgresValue {
  /// A study of the same day.
  case followUp = "follow_up"

  /// The habit of earlier days.
  case reminder

  /// Nothing yet.
  case first
}
