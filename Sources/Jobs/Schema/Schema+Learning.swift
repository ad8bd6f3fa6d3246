internal import JobKit
public import Migrations

extension Schema {
  /// The schema of the learning app: what the app writes for the jobs, and what they write for the app.
  public static let learning = Schema(
    [
      Migration(1, "app", PackageResources.v1_app_sql),
      Migration(2, "work", PackageResources.v2_work_sql),
      Migration(3, "push", PackageResources.v3_push_sql),
      Migration(4, "streaks", PackageResources.v4_streaks_sql),
      Migration(5, "reviews", PackageResources.v5_reviews_sql),
      Migration(6, "boards", PackageResources.v6_boards_sql),
      Migration(7, "impossible", PackageResources.v7_impossible_sql),
      Migration(8, "bounds", PackageResources.v8_bounds_sql),
      Migration(9, "entries", PackageResources.v9_entries_sql),
      Migration(10, "marks", PackageResources.v10_marks_sql),
      Migration(11, "pushes", PackageResources.v11_pushes_sql),
      Migration(12, "ranges", PackageResources.v12_ranges_sql),
      Migration(13, "travel", PackageResources.v13_travel_sql),
      Migration(14, "clocks", PackageResources.v14_clocks_sql),
      Migration(15, "parts", PackageResources.v15_parts_sql),
      Migration(16, "summaries", PackageResources.v16_summaries_sql, enduredSince: 15),
      Migration(17, "patterns", PackageResources.v17_patterns_sql, enduredSince: 15),
      Migration(18, "learners", PackageResources.v18_learners_sql, enduredSince: 15),
      Migration(19, "held", PackageResources.v19_held_sql, enduredSince: 15),
      Migration(20, "keys", PackageResources.v20_keys_sql, enduredSince: 15),
      Migration(21, "blocks", PackageResources.v21_blocks_sql),
      Migration(22, "history", PackageResources.v22_history_sql, enduredSince: 21),
      Migration(23, "proof", PackageResources.v23_proof_sql, enduredSince: 21),
      Migration(24, "release", PackageResources.v24_release_sql, enduredSince: 21),
      Migration(25, "due", PackageResources.v25_due_sql, enduredSince: 21),
      Migration(26, "news", PackageResources.v26_news_sql, enduredSince: 21),
      Migration(27, "devices", PackageResources.v27_devices_sql, enduredSince: 21),
      Migration(28, "old_users", PackageResources.v28_old_users_sql, enduredSince: 21),
      Migration(
        29, "old_devices", PackageResources.v29_old_devices_sql, enduredSince: 21),
      Migration(30, "aside", PackageResources.v30_aside_sql, enduredSince: 21),
      Migration(
        31, "aside_proof", PackageResources.v31_aside_proof_sql, enduredSince: 21),
      Migration(32, "held_marks", PackageResources.v32_held_marks_sql, enduredSince: 21),
      Migration(33, "earliest", PackageResources.v33_earliest_sql, enduredSince: 21),
      Migration(
        34, "earliest_held", PackageResources.v34_earliest_held_sql, enduredSince: 21),
      Migration(35, "edges", PackageResources.v35_edges_sql, enduredSince: 21),
      Migration(36, "names", PackageResources.v36_names_sql, enduredSince: 21),
      Migration(37, "answers", PackageResources.v37_answers_sql, enduredSince: 21),
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
