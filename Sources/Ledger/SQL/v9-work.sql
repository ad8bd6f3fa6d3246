-- What a claim looks up, and who worked at a part, how often and for how long.

-- The parts of a run that are due. A claim asks run by run: it is as fast with a hundred thousand parts that wait as with
-- one, whatever their order, where the index before had to be read from its beginning to the first part that might go on.
CREATE INDEX due_parts ON jobkit.part (run, number, not_before) WHERE state = 'due';
DROP INDEX jobkit.parts_to_claim;
-- Only for what its name says: for a claim, which asks for runs that are due, the planner would take it for as good as the
-- index that has them in their order.
DROP INDEX jobkit.runs_to_start;
CREATE INDEX runs_to_start ON jobkit.run (start_before) WHERE state = 'due' AND start_before IS NOT NULL;

-- Older programs beside this step write none of it: what is there counts only where the number of its claim is that of
-- the part.
ALTER TABLE jobkit.part
  ADD COLUMN tries       integer NOT NULL DEFAULT 0,
  ADD COLUMN last_daemon text,
  ADD COLUMN last_epoch  integer,
  ADD COLUMN began_at    timestamptz,
  ADD COLUMN worked      bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN jobkit.part.tries IS 'How often a worker began with it.';
COMMENT ON COLUMN jobkit.part.last_daemon IS 'The daemon that worked at it last, which stays when the part is over.';
COMMENT ON COLUMN jobkit.part.last_epoch IS 'The epoch up to which that is known.';
COMMENT ON COLUMN jobkit.part.began_at IS 'When the worker that has it began.';
COMMENT ON COLUMN jobkit.part.worked IS 'How many microseconds workers have had it in their hands: what it waited does not count.';

CREATE OR REPLACE FUNCTION jobkit.keeps_its_rules(part jobkit.part) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
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
    WHEN part.tries < 0 THEN 'tries_are_counted_from_none'
    WHEN part.worked < 0 THEN 'work_takes_time'
    WHEN (part.last_daemon IS NULL) <> (part.last_epoch IS NULL) THEN 'the_last_daemon_had_a_claim'
    WHEN part.last_epoch > part.epoch THEN 'the_last_claim_was_made'
  END;
BEGIN
  IF broken IS NULL THEN RETURN true; END IF;
  RAISE check_violation USING
    MESSAGE = pg_catalog.format('part %s of run %s of %s would break a rule: %s', part.number, part.run, part.job, broken),
    SCHEMA = 'jobkit', TABLE = 'part', CONSTRAINT = broken;
END $$;
