internal import Migrations

/// Which tables of the learning app each job works with: a job without one of them cannot run, and the others can.
extension [TableNeed] {
  static var ofBoards: Self {
    read("users", "sessions")
      + write(
        "leaderboards", "leaderboard_entries", "leaderboard_marks", "watermarks", "quarantine")
  }

  /// Every change of a streak or of tokens leaves a line for the widgets.
  static var ofStreaks: Self {
    read("users", "sessions")
      + write(
        "streaks", "streak_events", "streak_repairs", "brain_tokens", "token_entries", "awards",
        "widget_changes", "watermarks", "quarantine")
  }

  static var ofPushPlan: Self {
    read("users", "sessions", "devices", "patterns", "reviews", "streaks")
      + write("notifications", "notification_events", "push_agenda", "watermarks", "quarantine")
  }

  static var ofDelivery: Self {
    read("users", "sessions", "patterns")
      + [learning("devices", "SELECT", "UPDATE (invalidated_at, invalid_reason)")]
      + write("notifications", "notification_events")
  }

  static var ofSweep: Self {
    read("users")
      + [learning("devices", "SELECT", "DELETE")]
      + write("notifications", "notification_events", "watermarks")
  }

  /// Whoever gets measures or reviews gets a line that says so.
  static var ofReviews: Self {
    read("users", "patterns", "attempts")
      + write("pattern_conquest", "reviews", "review_learners", "watermarks", "quarantine")
  }

  /// A streak decides whether a reward is earned.
  static var ofRewards: Self {
    ofStreaks
      + [learning("reward_pending", "SELECT", "UPDATE (state, reason, settled_at)")]
      + write("balances", "reward_entries")
  }

  static var ofWidgets: Self {
    read("users", "sessions", "streaks", "brain_tokens")
      + write("widget_snapshots", "widget_changes", "watermarks", "quarantine")
  }

  private static func learning(_ table: String, _ rights: String...) -> TableNeed {
    TableNeed("learning.\(table)", rights)
  }

  private static func read(_ tables: String...) -> Self { tables.map { learning($0, "SELECT") } }

  private static func write(_ tables: String...) -> Self {
    tables.map { learning($0, "SELECT", "INSERT", "UPDATE", "DELETE") }
  }
}
