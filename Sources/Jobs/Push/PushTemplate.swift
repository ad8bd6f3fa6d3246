public import Postgres

/// What a push talks about, the most urgent first.
public enum PushTemplate: String, Sendable, CaseIterable {
  case streak
  case pattern
  case encourage
  case basic
}

extension PushTemplate: PostgresValue {}

extension PushTemplate {
  /// What a text of it may speak of.
  var placeholders: [Placeholder] {
    switch self {
    case .streak: [.name, .streakDays]
    case .pattern: [.name, .pattern]
    case .encourage, .basic: [.name]
    }
  }

  /// Where a tap leads; `pattern` is the code of the one to review.
  func link(pattern: String?) -> String {
    guard self == .pattern, let pattern else { return "app://session/warmup" }
    return "app://review/pattern/\(pattern)"
  }
}

/// What a text leaves open until it is known whom it is for.
enum Placeholder: String, CaseIterable {
  case name
  case streakDays = "streak_days"
  case pattern
}
