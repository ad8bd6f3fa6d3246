-- Parts: what one worker does of a run. Their rules are one check, as those of runs are.

CREATE TABLE jobkit.part (
  run                      bigint NOT NULL REFERENCES jobkit.run (id) ON DELETE CASCADE,
  number                   integer NOT NULL,
  job                      text NOT NULL,
  state                    text NOT NULL,
  priority                 smallint NOT NULL DEFAULT 0,
  not_before               timestamptz NOT NULL,
  epoch                    integer NOT NULL DEFAULT 0,
  daemon                   text,
  lease_until              timestamptz,
  failures                 integer NOT NULL DEFAULT 0,
  worker_losses            integer NOT NULL DEFAULT 0,
  started_at               timestamptz,
  finished_at              timestamptz,
  cursor                   text,
  done                     bigint NOT NULL DEFAULT 0,
  total                    bigint,
  counter_names            text[] NOT NULL DEFAULT '{}',
  counter_values           bigint[] NOT NULL DEFAULT '{}',
  error                    text,
  slot                     smallint,
  losses_without_progress  integer NOT NULL DEFAULT 0,
  tries                    integer NOT NULL DEFAULT 0,
  last_daemon              text,
  last_epoch               integer,
  began_at                 timestamptz,
  worked                   bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (run, number)
) WITH (fillfactor = 95);
COMMENT ON TABLE jobkit.part IS
  'What one worker does of a run: a small job has one part, a big one a part for each range of keys.';
COMMENT ON COLUMN jobkit.part.epoch IS
  'The fence: it grows with every claim, every later write names it, and a write with an older one is refused.';
COMMENT ON COLUMN jobkit.part.cursor IS 'Where the part goes on after a crash; written with the work itself.';
COMMENT ON COLUMN jobkit.part.failures IS 'How often it failed.';
COMMENT ON COLUMN jobkit.part.worker_losses IS 'How often its worker was lost, which is no failure.';
COMMENT ON COLUMN jobkit.part.losses_without_progress IS
  'How often its worker was lost since it last came further; the cap ends crash loops.';
COMMENT ON COLUMN jobkit.part.slot IS
  'Which of the parts that may run at once of a job with such a limit it is.';
COMMENT ON COLUMN jobkit.part.tries IS 'How often a worker began with it.';
COMMENT ON COLUMN jobkit.part.last_daemon IS 'The daemon that worked at it last, which stays when the part is over.';
COMMENT ON COLUMN jobkit.part.last_epoch IS 'The epoch up to which that is known.';
COMMENT ON COLUMN jobkit.part.began_at IS 'When the worker that has it began.';
COMMENT ON COLUMN jobkit.part.worked IS 'How many microseconds workers have had it in their hands: what it waited does not count.';

CREATE FUNCTION jobkit.keeps_its_rules(part jobkit.part) RETURNS boolean LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$
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
COMMENT ON FUNCTION jobkit.keeps_its_rules(jobkit.part) IS
  'Says true, or fails with the name of the rule that the row breaks.';
GRANT EXECUTE ON FUNCTION jobkit.keeps_its_rules(jobkit.part) TO PUBLIC;

ALTER TABLE jobkit.part ADD CONSTRAINT a_part_keeps_its_rules CHECK (jobkit.keeps_its_rules(part));

-- The parts of a run that are due. A claim asks run by run: it is as fast with a hundred thousand parts that wait as
-- with one, whatever their order.
CREATE INDEX due_parts ON jobkit.part (run, number, not_before) WHERE state = 'due';
CREATE INDEX parts_on_lease ON jobkit.part (lease_until) WHERE state = 'running';
CREATE UNIQUE INDEX one_part_a_slot ON jobkit.part (job, slot) WHERE state = 'running' AND slot IS NOT NULL;

CREATE TABLE jobkit.output (
  run    bigint NOT NULL REFERENCES jobkit.run (id) ON DELETE CASCADE,
  part   integer NOT NULL CHECK (part >= 0),
  epoch  integer NOT NULL CHECK (epoch >= 0),
  text   text NOT NULL CONSTRAINT an_output_is_bounded CHECK (octet_length(text) <= 65536),
  PRIMARY KEY (run, part)
);
COMMENT ON TABLE jobkit.output IS
  'The last that the program of a part has printed, beside the parts: those are written with each heartbeat.';
COMMENT ON COLUMN jobkit.output.epoch IS 'Which claim of the part it is of: a later try writes over it.';
