import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

/// The rows that the schema refuses, whoever writes them.
@Suite("Impossible rows")
struct ConstraintTests {
  @Test(arguments: [
    ("a_run_that_never_ran_says_why", "state = 'held'"),
    ("a_run_that_never_ran_says_why", "state = 'cancelled', finished_at = now(), parts_left = 0"),
    ("a_run_has_an_end_exactly_when_it_is_over", "finished_at = now(), parts_left = 0"),
    (
      "a_run_has_an_end_exactly_when_it_is_over",
      "state = 'failed', started_at = now(), parts_left = 0"
    ),
    ("a_run_has_a_start_when_it_ran", "state = 'running'"),
    ("a_run_has_a_start_when_it_ran", "state = 'succeeded', finished_at = now(), parts_left = 0"),
    (
      "what_never_ran_has_no_start",
      "state = 'missed', reason = 'late', started_at = now(), finished_at = now(), parts_left = 0"
    ),
    (
      "what_is_over_has_no_parts_left", "state = 'failed', finished_at = now(), parts_left = 1"
    ),
    ("only_collapsed_ticks_have_a_fate", "fate = 'missed'"),
    (
      "collapsed_ticks_were_skipped_or_missed",
      "fate = 'failed', state = 'collapsed', first_tick = scheduled_for, reason = 'r',"
        + " finished_at = now(), parts_left = 0"
    ),
    ("only_collapsed_ticks_are_many", "ticks = 2"),
    ("only_collapsed_ticks_are_many", "first_tick = scheduled_for"),
    (
      "ticks_collapse_forwards",
      "state = 'collapsed', reason = 'r', finished_at = now(), parts_left = 0,"
        + " first_tick = scheduled_for + interval '1 second'"
    ),
    ("every_argument_has_a_value", "argument_names = '{a}'"),
    ("a_tick_waits_for_jobs", "trigger = 'schedule', state = 'waiting'"),
    ("only_ticks_and_requests_wait", "state = 'waiting'"),
    ("only_a_tick_waits_for_jobs", "after_jobs = '{a}'"),
    ("what_waits_for_jobs_says_how", "trigger = 'schedule', after_jobs = '{a}'"),
    ("what_waits_for_jobs_says_how", "after_until = now()"),
    (
      "what_waits_for_jobs_says_how",
      "trigger = 'schedule', after_jobs = '{a}', after_ticks = '{}', after_until = now(),"
        + " after_failed = 'skip', after_missing = 'skip'"
    ),
    (
      "what_waits_for_jobs_knows_what_to_do",
      "trigger = 'schedule', after_jobs = '{a}', after_ticks = '{NULL}', after_until = now(),"
        + " after_failed = 'stop', after_missing = 'skip'"
    ),
    ("a_cancellation_has_an_author", "cancel_asked_at = now()"),
    ("a_cancellation_has_an_author", "cancel_asked_by = 'ana'"),
    ("a_run_has_a_known_state", "state = 'lost', finished_at = now(), parts_left = 0"),
    ("a_run_has_a_known_trigger", "trigger = 'cron'"),
    (
      "a_run_is_for_a_tick",
      "ticks = 0, state = 'collapsed', first_tick = scheduled_for, reason = 'r',"
        + " finished_at = now(), parts_left = 0"
    ),
    ("parts_are_counted_from_none", "parts = -1"),
    ("the_parts_left_are_of_the_run", "parts_left = 2"),
    ("the_parts_that_failed_are_of_the_run", "parts_failed = 2"),
    ("the_parts_cancelled_are_of_the_run", "parts_cancelled = -1"),
  ])
  func `a run cannot be what no run is`(constraint: String, change: String) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()

    #expect(try stage.refusal(of: "UPDATE jobkit.run SET \(change)") == constraint)
  }

  @Test(arguments: [
    ("tries_are_counted_from_none", "tries = -1"),
    ("work_takes_time", "worked = -1"),
    ("the_last_daemon_had_a_claim", "last_daemon = 'host:1:a'"),
    ("the_last_claim_was_made", "last_daemon = 'host:1:a', last_epoch = epoch + 1"),
    ("a_part_has_a_daemon_exactly_while_it_runs", "daemon = 'host:1:a'"),
    (
      "a_part_has_a_daemon_exactly_while_it_runs", "state = 'running', lease_until = now()"
    ),
    ("a_part_has_a_lease_exactly_while_it_runs", "lease_until = now()"),
    ("a_part_has_a_lease_exactly_while_it_runs", "state = 'running', daemon = 'host:1:a'"),
    ("a_part_has_an_end_exactly_when_it_is_over", "finished_at = now()"),
    ("a_part_has_an_end_exactly_when_it_is_over", "state = 'succeeded'"),
    ("every_counter_has_a_value", "counter_names = '{sent}'"),
    ("a_failed_part_says_why", "state = 'failed', finished_at = now()"),
    ("a_part_has_a_known_state", "state = 'missed', finished_at = now()"),
    ("parts_are_numbered_from_zero", "number = -1"),
    ("claims_are_counted_from_none", "epoch = -1"),
    ("failures_are_counted_from_none", "failures = -1"),
    ("worker_losses_are_counted_from_none", "worker_losses = -1"),
    ("losses_without_progress_are_worker_losses", "losses_without_progress = -1"),
    ("losses_without_progress_are_worker_losses", "losses_without_progress = worker_losses + 1"),
    ("what_is_done_is_counted_from_none", "done = -1"),
    ("what_is_to_do_is_counted_from_none", "total = -1"),
  ])
  func `a part cannot be what no part is`(constraint: String, change: String) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()

    #expect(try stage.refusal(of: "UPDATE jobkit.part SET \(change)") == constraint)
  }

  @Test(arguments: [
    ("a_pause_has_an_author", "paused_at = now(), pause_reason = 'r'"),
    ("a_pause_has_a_reason", "paused_at = now(), paused_by = 'ana'"),
    ("only_a_pause_ends", "paused_until = now()"),
    ("job_name_check", "name = 'Sample'"),
    ("run_job_fkey", "name = 'other'"),
  ])
  func `a job cannot be what no job is`(constraint: String, change: String) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()

    #expect(try stage.refusal(of: "UPDATE jobkit.job SET \(change)") == constraint)
  }

  @Test func `one tick has one row, and any number of runs by hand`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    for _ in 1...2 { try stage.enter() }
    try stage.connection.run("UPDATE jobkit.run SET trigger = 'schedule' WHERE id = 1")

    #expect(
      try stage.refusal(of: "UPDATE jobkit.run SET trigger = 'schedule' WHERE id = 2")
        == "one_row_a_tick")
  }

  @Test func `a tick is filled in beside its own row, once at a time`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    for _ in 1...3 { try stage.enter() }
    try stage.connection.run("UPDATE jobkit.run SET trigger = 'schedule' WHERE id = 1")
    try stage.connection.run("UPDATE jobkit.run SET trigger = 'backfill' WHERE id = 2")

    #expect(
      try stage.refusal(of: "UPDATE jobkit.run SET trigger = 'backfill' WHERE id = 3")
        == "one_open_backfill_a_tick")
  }

  @Test(arguments: [
    ("a_run_is_for_a_share_of_the_keys", "jobkit.run SET percent = 0"),
    ("what_is_planned_is_counted_from_none", "jobkit.run SET planned = -1"),
    ("an_approval_has_an_author", "jobkit.run SET approved_at = now()"),
    ("an_approval_has_an_author", "jobkit.run SET approved_by = 'ana'"),
    ("a_part_has_a_slot_only_while_it_runs", "jobkit.part SET slot = 1"),
    ("slots_are_numbered_from_one", "jobkit.part SET slot = 0"),
  ])
  func `what controls a run is whole`(constraint: String, change: String) throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()

    #expect(try stage.refusal(of: "UPDATE \(change)") == constraint)
  }

  @Test func `one exclusive run of a job goes on at a time, and any number of others`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    for _ in 1...2 { try stage.enter() }
    try stage.connection.run(
      "UPDATE jobkit.run SET state = 'running', started_at = now() WHERE id = 1")

    let second = "UPDATE jobkit.run SET state = 'running', started_at = now() WHERE id = 2"
    #expect(try stage.refusal(of: second) == "one_exclusive_run_a_job")
    try stage.connection.run("UPDATE jobkit.run SET exclusive = false WHERE id = 2")
    try stage.connection.run(script: second)
  }
}

extension Stage {
  /// The constraint that refuses a statement.
  fileprivate func refusal(of sql: String) throws -> String? {
    do {
      try connection.run(script: sql)
      return nil
    } catch {
      return error.report?.constraint ?? "\(error)"
    }
  }
}
