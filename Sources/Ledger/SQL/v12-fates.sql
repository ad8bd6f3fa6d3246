-- What became of the ticks of a row that stands for many, as a word of its own: nothing reads it from the reason.

ALTER TABLE jobkit.run ADD COLUMN fate text;
COMMENT ON COLUMN jobkit.run.fate IS
  'What became of each of the ticks of a collapsed row: skipped or missed. Programs older than this column leave it empty.';
UPDATE jobkit.run SET fate = split_part(reason, ':', 1)
  WHERE state = 'collapsed' AND split_part(reason, ':', 1) IN ('skipped', 'missed');

COMMENT ON COLUMN jobkit.run.percent IS 'The share of the keys that the run is for: always the same ones.';
COMMENT ON TABLE jobkit.part IS
  'What one worker does of a run: a small job has one part, a big one a part for each range of keys.';

CREATE OR REPLACE FUNCTION jobkit.keeps_its_rules(run jobkit.run) RETURNS boolean LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$
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
    WHEN run.percent NOT BETWEEN 1 AND 100 THEN 'a_run_is_for_a_share_of_the_keys'
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
    WHEN run.fate IS NOT NULL AND run.state <> 'collapsed' THEN 'only_collapsed_ticks_have_a_fate'
    WHEN run.fate NOT IN ('skipped', 'missed') THEN 'collapsed_ticks_were_skipped_or_missed'
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
