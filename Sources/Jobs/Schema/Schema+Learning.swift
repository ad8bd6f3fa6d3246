internal import JobKit
public import Migrations

extension Schema {
  /// The schema of the learning app: what the app writes for the jobs, and what they write for the app.
  public static let learning = Schema(
    [
      Migration(
        1, "learning", PackageResources.v1_app_sql, PackageResources.v1_work_sql,
        PackageResources.v1_push_sql, PackageResources.v1_streaks_sql,
        PackageResources.v1_rewards_sql, PackageResources.v1_reviews_sql,
        PackageResources.v1_boards_sql, PackageResources.v1_widgets_sql)
    ], named: "learning", rights: .learning)
}

extension SchemaRights {
  /// What the jobs do with each table: what the app writes they read, and of it they change no more than
  /// what became of devices and rewards.
  package static let learning = SchemaRights(
    in: "learning",
    ofWorker: ["users", "sessions", "patterns", "attempts", "migration"].map { ($0, ["SELECT"]) }
      + [
        ("devices", ["SELECT", "UPDATE (invalidated_at, invalid_reason)", "DELETE"]),
        ("reward_pending", ["SELECT", "UPDATE (state, reason, settled_at)"]),
      ]
      + own.map { ($0, ["SELECT", "INSERT", "UPDATE", "DELETE"]) }
      + views.map { ($0, ["SELECT"]) },
    // Whoever has a token can push: a reader has none.
    showingReader: [
      "devices": [
        "user_id", "device_id", "provider", "environment", "registered_at", "invalidated_at",
        "invalid_reason", "written_in",
      ]
    ])

  private static let own = [
    "watermarks", "quarantine", "notifications", "notification_events", "push_agenda", "streaks",
    "streak_events", "streak_repairs", "brain_tokens", "token_entries", "awards", "reward_entries",
    "balances", "pattern_conquest", "reviews", "review_learners", "leaderboards",
    "leaderboard_entries", "leaderboard_marks", "widget_snapshots", "widget_changes",
  ]

  private static let views = ["leaderboard_top"]
}
