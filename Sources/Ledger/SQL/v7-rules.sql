-- The rules of a run and of a part, each table's as one check. The server reads every check of a table anew for each
-- statement that writes there: the 34 that there were took a quarter of all that a tick costs.
--
-- A row that breaks a rule is refused under the rule's name, as before. Rows that are there have kept these rules,
-- and are looked at by the next step.

CREATE FUNCTION jobkit.keeps_its_rules(run jobkit.run) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  broken CONSTANT text := CASE
    WHEN run.trigger NOT IN ('schedule', 'manual', 'backfill') THEN 'a_run_has_a_known_trigger'
    WHEN run.state NOT IN (
      'due', 'held', 'running', 'succeeded', 'failed', 'cancelled', 'skipped', 'missed', 'collapsed')
      THEN 'a_run_has_a_known_state'
    WHEN run.ticks < 1 THEN 'a_run_is_for_a_tick'
    WHEN run.parts < 0 THEN 'parts_are_counted_from_none'
    WHEN run.parts_left NOT BETWEEN 0 AND run.parts THEN 'the_parts_left_are_of_the_run'
    WHEN run.parts_failed NOT BETWEEN 0 AND run.parts THEN 'the_parts_that_failed_are_of_the_run'
    WHEN run.parts_cancelled NOT BETWEEN 0 AND run.parts THEN 'the_parts_cancelled_are_of_the_run'
    WHEN run.percent NOT BETWEEN 1 AND 100 THEN 'a_run_is_for_a_share_of_the_learners'
    WHEN run.planned < 0 THEN 'what_is_planned_is_counted_from_none'
    WHEN run.reason IS NULL AND run.state IN ('held', 'skipped', 'missed', 'collapsed', 'cancelled')
      THEN 'a_run_that_never_ran_says_why'
    WHEN (run.finished_at IS NULL) <> (run.state IN ('due', 'held', 'running'))
      THEN 'a_run_has_an_end_exactly_when_it_is_over'
    WHEN run.started_at IS NULL AND run.state IN ('running', 'succeeded') THEN 'a_run_has_a_start_when_it_ran'
    WHEN run.started_at IS NOT NULL AND run.state IN ('skipped', 'missed', 'collapsed')
      THEN 'what_never_ran_has_no_start'
    WHEN run.finished_at IS NOT NULL AND run.parts_left <> 0 THEN 'what_is_over_has_no_parts_left'
    WHEN (run.state = 'collapsed') <> (run.first_tick IS NOT NULL) OR run.state <> 'collapsed' AND run.ticks <> 1
      THEN 'only_collapsed_ticks_are_many'
    WHEN run.first_tick > run.scheduled_for THEN 'ticks_collapse_forwards'
    WHEN cardinality(run.argument_names) <> cardinality(run.argument_values) THEN 'every_argument_has_a_value'
    WHEN (run.cancel_asked_at IS NULL) <> (run.cancel_asked_by IS NULL) THEN 'a_cancellation_has_an_author'
    WHEN (run.approved_at IS NULL) <> (run.approved_by IS NULL) THEN 'an_approval_has_an_author'
  END;
BEGIN
  IF broken IS NULL THEN RETURN true; END IF;
  RAISE check_violation USING MESSAGE = format('run %s of %s would break a rule: %s', run.id, run.job, broken),
    SCHEMA = 'jobkit', TABLE = 'run', CONSTRAINT = broken;
END $$;
COMMENT ON FUNCTION jobkit.keeps_its_rules(jobkit.run) IS
  'Says true, or fails with the name of the rule that the row breaks.';

CREATE FUNCTION jobkit.keeps_its_rules(part jobkit.part) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  broken CONSTANT text := CASE
    WHEN part.state NOT IN ('due', 'running', 'succeeded', 'failed', 'cancelled') THEN 'a_part_has_a_known_state'
    WHEN part.number < 0 THEN 'parts_are_numbered_from_zero'
    WHEN part.epoch < 0 THEN 'claims_are_counted_from_none'
    WHEN part.failures < 0 THEN 'failures_are_counted_from_none'
    WHEN part.worker_losses < 0 THEN 'worker_losses_are_counted_from_none'
    WHEN part.losses_without_progress NOT BETWEEN 0 AND part.worker_losses THEN 'losses_without_progress_are_worker_losses'
    WHEN part.done < 0 THEN 'what_is_done_is_counted_from_none'
    WHEN part.total < 0 THEN 'what_is_to_do_is_counted_from_none'
    WHEN part.slot < 1 THEN 'slots_are_numbered_from_one'
    WHEN part.slot IS NOT NULL AND part.state <> 'running' THEN 'a_part_has_a_slot_only_while_it_runs'
    WHEN (part.state = 'running') <> (part.daemon IS NOT NULL) THEN 'a_part_has_a_daemon_exactly_while_it_runs'
    WHEN (part.state = 'running') <> (part.lease_until IS NOT NULL) THEN 'a_part_has_a_lease_exactly_while_it_runs'
    WHEN (part.finished_at IS NULL) <> (part.state IN ('due', 'running'))
      THEN 'a_part_has_an_end_exactly_when_it_is_over'
    WHEN cardinality(part.counter_names) <> cardinality(part.counter_values) THEN 'every_counter_has_a_value'
    WHEN part.state = 'failed' AND part.error IS NULL THEN 'a_failed_part_says_why'
  END;
BEGIN
  IF broken IS NULL THEN RETURN true; END IF;
  RAISE check_violation USING
    MESSAGE = format('part %s of run %s of %s would break a rule: %s', part.number, part.run, part.job, broken),
    SCHEMA = 'jobkit', TABLE = 'part', CONSTRAINT = broken;
END $$;
COMMENT ON FUNCTION jobkit.keeps_its_rules(jobkit.part) IS
  'Says true, or fails with the name of the rule that the row breaks.';

-- Whoever may write a row may have it looked at, also where functions are nobody's by default.
GRANT EXECUTE ON FUNCTION jobkit.keeps_its_rules(jobkit.run), jobkit.keeps_its_rules(jobkit.part) TO PUBLIC;

ALTER TABLE jobkit.run
  ADD CONSTRAINT a_run_keeps_its_rules CHECK (jobkit.keeps_its_rules(run)) NOT VALID,
  DROP CONSTRAINT run_trigger_check,
  DROP CONSTRAINT run_state_check,
  DROP CONSTRAINT run_ticks_check,
  DROP CONSTRAINT run_parts_check,
  DROP CONSTRAINT run_check,
  DROP CONSTRAINT run_check1,
  DROP CONSTRAINT run_check2,
  DROP CONSTRAINT run_percent_check,
  DROP CONSTRAINT run_planned_check,
  DROP CONSTRAINT a_run_that_never_ran_says_why,
  DROP CONSTRAINT a_run_has_an_end_exactly_when_it_is_over,
  DROP CONSTRAINT a_run_has_a_start_when_it_ran,
  DROP CONSTRAINT what_never_ran_has_no_start,
  DROP CONSTRAINT what_is_over_has_no_parts_left,
  DROP CONSTRAINT only_collapsed_ticks_are_many,
  DROP CONSTRAINT ticks_collapse_forwards,
  DROP CONSTRAINT every_argument_has_a_value,
  DROP CONSTRAINT a_cancellation_has_an_author,
  DROP CONSTRAINT an_approval_has_an_author;

ALTER TABLE jobkit.part
  ADD CONSTRAINT a_part_keeps_its_rules CHECK (jobkit.keeps_its_rules(part)) NOT VALID,
  DROP CONSTRAINT part_state_check,
  DROP CONSTRAINT part_number_check,
  DROP CONSTRAINT part_epoch_check,
  DROP CONSTRAINT part_failures_check,
  DROP CONSTRAINT part_worker_losses_check,
  DROP CONSTRAINT losses_without_progress_are_worker_losses,
  DROP CONSTRAINT part_done_check,
  DROP CONSTRAINT part_total_check,
  DROP CONSTRAINT part_slot_check,
  DROP CONSTRAINT a_part_has_a_slot_only_while_it_runs,
  DROP CONSTRAINT a_part_has_a_daemon_exactly_while_it_runs,
  DROP CONSTRAINT a_part_has_a_lease_exactly_while_it_runs,
  DROP CONSTRAINT a_part_has_an_end_exactly_when_it_is_over,
  DROP CONSTRAINT every_counter_has_a_value,
  DROP CONSTRAINT a_failed_part_says_why;
