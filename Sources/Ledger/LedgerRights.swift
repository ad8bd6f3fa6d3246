public import Migrations

extension SchemaRights {
  /// What a daemon does with the ledger, and nothing else.
  ///
  /// No table can be emptied or changed, no job forgotten, and of what was decided only that changes
  /// which becomes of it: never which job, which tick, by whom.
  public static let ledger = SchemaRights(
    in: "jobkit",
    ofWorker: [
      ("job", ["SELECT", "INSERT", "UPDATE (\(ofJob))"]),
      ("run", ["SELECT", "INSERT", "UPDATE (\(ofRun))", "DELETE"]),
      ("part", ["SELECT", "INSERT", "UPDATE (\(ofPart))", "DELETE"]),
      ("output", ["SELECT", "INSERT", "UPDATE (epoch, text)"]),
      ("schedule", ["SELECT", "INSERT", "UPDATE (schedule)"]),
      ("daemon", ["SELECT", "INSERT", "UPDATE (\(ofDaemon))", "DELETE"]),
      ("notice", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
      ("message", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
      ("incident", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
      ("presence", ["SELECT", "INSERT", "UPDATE"]),
      ("watermark", ["SELECT", "INSERT", "UPDATE (seen_until, seen_in)"]),
      ("job_text", ["SELECT", "INSERT", "UPDATE (hash)", "DELETE"]),
      ("run_basis", ["SELECT", "INSERT"]),
      ("outage", ["SELECT", "INSERT", "UPDATE", "DELETE"]),
      ("migration", ["SELECT"]),
    ],
    ofRequester: ["request(text, jsonb, text, timestamptz)"])

  private static let ofJob =
    "decided_until, repeats_until, paused_at, paused_by, pause_reason, paused_until,"
    + " blocked_since, blocked_because, requests"

  private static let ofRun =
    "state, reason, start_before, parts_left, parts_failed, parts_cancelled, started_at, finished_at,"
    + " cancel_asked_at, cancel_asked_by, version, settings_hash, planned, approved_at, approved_by, after_until"

  private static let ofPart =
    "state, not_before, epoch, daemon, lease_until, failures, worker_losses, losses_without_progress, started_at,"
    + " finished_at, cursor, done, total, counter_names, counter_values, error, slot, tries, last_daemon,"
    + " last_epoch, began_at, worked"

  private static let ofDaemon =
    "settings_hash, seen_at, draining, ready_at, drain_asked_at, drain_asked_by"
}
