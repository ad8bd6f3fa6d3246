/// The bad night that the handbook is about.
///
/// Run 1 has failed, run 2 is held, run 3 goes on at a daemon that has fallen silent; a tick was missed,
/// one was skipped, the next succeeded, and whether the push of learner 17 arrived is not known.
enum OperationsScene {
  static let sql = """
    INSERT INTO jobkit.job (name, known_since, decided_until)
      SELECT name, now(), now() FROM unnest(ARRAY['refresh_leaderboard', 'schedule_daily_push',
        'recommend_review', 'detect_streak_breaks']) AS name;
    INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, planned, parts, parts_left,
        parts_failed, decided_at, decided_by, started_at, finished_at)
      VALUES
        ('refresh_leaderboard', now() - interval '1 hour', 'schedule', 'failed', NULL, NULL, 1, 0, 1,
          now(), 'db1:1', now(), now()),
        ('schedule_daily_push', now(), 'schedule', 'held', 'would touch 812, more than 100', 812,
          1, 1, 0, now(), 'db1:1', NULL, NULL),
        ('recommend_review', now(), 'schedule', 'running', NULL, NULL, 1, 1, 0,
          now(), 'db1:1', now(), NULL),
        ('detect_streak_breaks', '2026-03-01T02:00:00Z', 'schedule', 'missed',
          'no daemon was looking until it was too late', NULL, 0, 0, 0, now(), 'db1:1', NULL, now()),
        ('detect_streak_breaks', '2026-03-01T02:15:00Z', 'schedule', 'skipped',
          'overlap: an earlier run is not over', NULL, 0, 0, 0, now(), 'db1:1', NULL, now()),
        ('detect_streak_breaks', '2026-03-01T02:30:00Z', 'schedule', 'succeeded', NULL, NULL, 0, 0, 0,
          now(), 'db1:1', now(), now());
    INSERT INTO jobkit.part (run, number, job, state, not_before, daemon, lease_until, finished_at,
        error)
      VALUES
        (1, 0, 'refresh_leaderboard', 'failed', now(), NULL, NULL, now(), 'deadlock detected'),
        (2, 0, 'schedule_daily_push', 'due', now(), NULL, NULL, NULL, NULL),
        (3, 0, 'recommend_review', 'running', now(), 'db1:1', now() + interval '1 hour', NULL, NULL);
    INSERT INTO jobkit.daemon (name, host, process, version, settings_hash, jobs, started_at, seen_at)
      VALUES ('db1:1:ab', 'db1', 1, '0.0.1', 'abc', ARRAY['recommend_review'],
        now() - interval '1 day', now() - interval '1 hour');
    INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
      VALUES (17, 'a learner', 'UTC', now(), now());
    INSERT INTO learning.notifications (user_id, local_day, state, reason, kind, zone, planned_at,
        sent_at)
      VALUES (17, '2026-03-01', 'uncertain', 'worker_lost', 'reminder', 'UTC', now(), now());
    """
}
