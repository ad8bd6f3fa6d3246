-- Runs: what should run, what ran, and what became of it.
--
-- The rules of a row are one check, a function: the server reads every check of a table anew for each statement that
-- writes there, and as checks of their own they took a quarter of all that a tick costs. A row that breaks a rule is
-- refused under the rule's name.

CREATE TABLE jobkit.run (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job              text NOT NULL REFERENCES jobkit.job (name),
  scheduled_for    timestamptz NOT NULL,
  trigger          text NOT NULL,
  state            text NOT NULL,
  reason           text,
  ticks            integer NOT NULL DEFAULT 1,
  first_tick       timestamptz,
  exclusive        boolean NOT NULL DEFAULT true,
  priority         smallint NOT NULL DEFAULT 0,
  start_before     timestamptz,
  parts            integer NOT NULL DEFAULT 1,
  parts_left       integer NOT NULL DEFAULT 1,
  parts_failed     integer NOT NULL DEFAULT 0,
  parts_cancelled  integer NOT NULL DEFAULT 0,
  argument_names   text[] NOT NULL DEFAULT '{}',
  argument_values  text[] NOT NULL DEFAULT '{}',
  decided_at       timestamptz NOT NULL,
  decided_by       text NOT NULL,
  started_at       timestamptz,
  finished_at      timestamptz,
  cancel_asked_at  timestamptz,
  cancel_asked_by  text,
  version          text,
  settings_hash    text,
  percent          smallint NOT NULL DEFAULT 100,
  planned          bigint,
  approved_at      timestamptz,
  approved_by      text,
  fate             text,
  request_key      text,
  waits_until      timestamptz,
  after_jobs       text[],
  after_ticks      timestamptz[],
  after_until      timestamptz,
  after_failed     text,
  after_missing    text
-- Half of a ledger would be room for changes: a run is changed twice in its life, in its first seconds.
) WITH (fillfactor = 95);
COMMENT ON TABLE jobkit.run IS
  'One row for every tick that should have happened, whatever became of it, and one for every run by hand.';
COMMENT ON COLUMN jobkit.run.ticks IS
  'How many ticks this row stands for: more than one only when they collapsed, from first_tick to scheduled_for.';
COMMENT ON COLUMN jobkit.run.fate IS 'What became of each of the ticks of a collapsed row: skipped or missed.';
COMMENT ON COLUMN jobkit.run.request_key IS
  'By which key the app asked for it: for as long as this row is kept, a request with the same key gets this run.';
COMMENT ON COLUMN jobkit.run.waits_until IS 'From when on a run that waits may become due; null: at once.';
COMMENT ON COLUMN jobkit.run.after_jobs IS
  'For the success of which jobs a tick waits, or has waited; null: for none.';
COMMENT ON COLUMN jobkit.run.after_ticks IS
  'The newest tick of each of these jobs at or before this one, as the daemon that decided it knew; null: it has none.';
COMMENT ON COLUMN jobkit.run.after_until IS 
  'Until when it waits for them at most, which is when it is missed; once it has waited, until when it did.';
COMMENT ON COLUMN jobkit.run.after_failed IS
  'What it does when the run of one of them failed or was cancelled: skip, wait or run.';
COMMENT ON COLUMN jobkit.run.after_missing IS
  'What it does when one of them was skipped or missed, or has no such tick: skip, wait or run.';
COMMENT ON COLUMN jobkit.run.exclusive IS 'Whether no other run of the job may go on beside it.';
COMMENT ON COLUMN jobkit.run.start_before IS 'When it is too late to start; the run is then missed.';
COMMENT ON COLUMN jobkit.run.version IS 'The program that started it.';
COMMENT ON COLUMN jobkit.run.percent IS 'The share of the keys that the run is for: always the same ones.';
COMMENT ON COLUMN jobkit.run.planned IS
  'How many the run said it would touch, before it touched any; held when that is outside the bounds of its job.';

CREATE FUNCTION jobkit.keeps_its_rules(run jobkit.run) RETURNS boolean LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  broken CONSTANT text := CASE
    WHEN run.trigger NOT IN ('schedule', 'manual', 'backfill', 'request') THEN 'a_run_has_a_known_trigger'
    WHEN run.state NOT IN (
      'waiting', 'due', 'held', 'running', 'succeeded', 'failed', 'cancelled', 'skipped', 'missed', 'collapsed')
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
    WHEN (run.finished_at IS NULL) <> (run.state IN ('waiting', 'due', 'held', 'running'))
      THEN 'a_run_has_an_end_exactly_when_it_is_over'
    WHEN run.started_at IS NULL AND run.state IN ('running', 'succeeded') THEN 'a_run_has_a_start_when_it_ran'
    WHEN run.started_at IS NOT NULL AND run.state IN ('waiting', 'skipped', 'missed', 'collapsed')
      THEN 'what_never_ran_has_no_start'
    WHEN run.finished_at IS NOT NULL AND run.parts_left <> 0 THEN 'what_is_over_has_no_parts_left'
    WHEN (run.state = 'collapsed') <> (run.first_tick IS NOT NULL) OR run.state <> 'collapsed' AND run.ticks <> 1
      THEN 'only_collapsed_ticks_are_many'
    WHEN run.fate IS NOT NULL AND run.state <> 'collapsed' THEN 'only_collapsed_ticks_have_a_fate'
    WHEN run.fate NOT IN ('skipped', 'missed') THEN 'collapsed_ticks_were_skipped_or_missed'
    WHEN run.first_tick > run.scheduled_for THEN 'ticks_collapse_forwards'
    WHEN cardinality(run.argument_names) <> cardinality(run.argument_values) THEN 'every_argument_has_a_value'
    WHEN run.request_key IS NOT NULL AND run.trigger <> 'request' THEN 'only_a_request_has_a_key'
    WHEN run.waits_until IS NOT NULL AND run.trigger <> 'request' THEN 'only_a_request_waits_for_a_time'
    WHEN run.state = 'waiting' AND run.trigger = 'schedule' AND run.after_jobs IS NULL
      THEN 'a_tick_waits_for_jobs'
    WHEN run.state = 'waiting' AND run.trigger NOT IN ('schedule', 'request') THEN 'only_ticks_and_requests_wait'
    WHEN run.after_jobs IS NOT NULL AND run.trigger <> 'schedule' THEN 'only_a_tick_waits_for_jobs'
    WHEN (run.after_jobs IS NULL) <> (run.after_ticks IS NULL) OR (run.after_jobs IS NULL) <> (run.after_until IS NULL)
      OR (run.after_jobs IS NULL) <> (run.after_failed IS NULL)
      OR (run.after_jobs IS NULL) <> (run.after_missing IS NULL)
      OR cardinality(run.after_jobs) <> cardinality(run.after_ticks)
      THEN 'what_waits_for_jobs_says_how'
    WHEN run.after_failed NOT IN ('skip', 'wait', 'run') OR run.after_missing NOT IN ('skip', 'wait', 'run')
      THEN 'what_waits_for_jobs_knows_what_to_do'
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
-- Every role that may write a row may have it checked, also where functions are nobody's by default.
GRANT EXECUTE ON FUNCTION jobkit.keeps_its_rules(jobkit.run) TO PUBLIC;

ALTER TABLE jobkit.run ADD CONSTRAINT a_run_keeps_its_rules CHECK (jobkit.keeps_its_rules(run));

-- Two daemons may decide the same tick: this key keeps one row. A backfill has a row of its own, one at a time.
CREATE UNIQUE INDEX one_row_a_tick ON jobkit.run (job, scheduled_for) WHERE trigger = 'schedule';
CREATE UNIQUE INDEX one_open_backfill_a_tick ON jobkit.run (job, scheduled_for)
  WHERE trigger = 'backfill' AND finished_at IS NULL;
-- Whoever asks again with a key gets the run that it has.
CREATE UNIQUE INDEX one_run_a_key ON jobkit.run (job, request_key) WHERE request_key IS NOT NULL;
-- What waits is no open run: no claim reads it, and no other run waits behind it. What waits for other jobs has no time.
CREATE INDEX waiting_runs ON jobkit.run (waits_until, job) WHERE state = 'waiting';
-- Whether a tick waits for other jobs is asked each second: however many requests wait beside it, they are not in here.
CREATE INDEX waiting_ticks ON jobkit.run (job, id) WHERE state = 'waiting' AND trigger = 'schedule';
-- No overlap, whichever daemon claims what.
CREATE UNIQUE INDEX one_exclusive_run_a_job ON jobkit.run (job) WHERE state = 'running' AND exclusive;
-- What a claim asks of a run, each answered by one look: does an exclusive one go on, does one wait before it?
CREATE INDEX open_runs ON jobkit.run (job, exclusive, state, (-priority), id)
  WHERE state IN ('due', 'held', 'running');
CREATE INDEX runs_to_cancel ON jobkit.run (id) WHERE cancel_asked_at IS NOT NULL AND finished_at IS NULL;
-- Only for what its name says: for a claim, which asks for runs that are due, the planner would take it for as good as
-- the index that has them in their order.
CREATE INDEX runs_to_start ON jobkit.run (start_before) WHERE state = 'due' AND start_before IS NOT NULL;
-- Ascending, as the rows come: a page that is full is then left full.
CREATE INDEX runs_by_age ON jobkit.run (scheduled_for);
-- What is old enough to be purged is found by its end, each outcome for itself: one that is kept for long must not be
-- in the way of the others.
CREATE INDEX successes_by_end ON jobkit.run (finished_at) WHERE state = 'succeeded';
CREATE INDEX failures_by_end ON jobkit.run (finished_at) WHERE state IN ('failed', 'cancelled');
CREATE INDEX never_ran_by_end ON jobkit.run (finished_at) WHERE state IN ('skipped', 'missed', 'collapsed');
-- With the index of ticks it tells the newest runs of a job that ran.
CREATE INDEX runs_beside_the_schedule ON jobkit.run (job, scheduled_for)
  WHERE trigger <> 'schedule' AND started_at IS NOT NULL;

CREATE TABLE jobkit.run_basis (
  run        bigint PRIMARY KEY REFERENCES jobkit.run (id) ON DELETE CASCADE,
  text_hash  text NOT NULL REFERENCES jobkit.job_text (hash),
  seen_in    pg_snapshot
);
COMMENT ON TABLE jobkit.run_basis IS
  'What all parts of a run go by whose job the settings describe, whatever they say later: written with its first chunk, or when it is held.';
COMMENT ON COLUMN jobkit.run_basis.seen_in IS
  'The transactions that were over when the run began; null: its job does not ask what is new.';
CREATE INDEX runs_by_text ON jobkit.run_basis (text_hash);
