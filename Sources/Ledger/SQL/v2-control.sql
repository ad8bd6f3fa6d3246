-- Control: approval of runs that would touch too many, canaries, backfills beside the schedule, limits of parallel
-- parts, and the schedules that jobs had.

CREATE TABLE jobkit.schedule (
  job       text NOT NULL REFERENCES jobkit.job (name) ON DELETE CASCADE,
  since     timestamptz NOT NULL,
  schedule  text NOT NULL,
  PRIMARY KEY (job, since)
);
COMMENT ON TABLE jobkit.schedule IS
  'Which schedule decided the ticks of a job since when: what an audit of the past expects.';

ALTER TABLE jobkit.run
  ADD COLUMN percent     smallint NOT NULL DEFAULT 100 CHECK (percent BETWEEN 1 AND 100),
  ADD COLUMN planned     bigint CHECK (planned >= 0),
  ADD COLUMN approved_at timestamptz,
  ADD COLUMN approved_by text,
  ADD CONSTRAINT an_approval_has_an_author CHECK ((approved_at IS NULL) = (approved_by IS NULL));
COMMENT ON COLUMN jobkit.run.percent IS 'The share of the learners that the run is for: always the same ones.';
COMMENT ON COLUMN jobkit.run.planned IS
  'How many the run said it would touch, before it touched any; held when that is outside the bounds of its job.';

-- One tick, one row: two believers cannot both decide it. A backfill has a row of its own, one at a time.
DROP INDEX jobkit.one_row_a_tick;
CREATE UNIQUE INDEX one_row_a_tick ON jobkit.run (job, scheduled_for) WHERE trigger = 'schedule';
CREATE UNIQUE INDEX one_open_backfill_a_tick ON jobkit.run (job, scheduled_for)
  WHERE trigger = 'backfill' AND finished_at IS NULL;

-- What a claim asks of a run, each answered by one look: does an exclusive one go on, does one wait before it?
DROP INDEX jobkit.open_runs;
CREATE INDEX open_runs ON jobkit.run (job, exclusive, state, (-priority), id)
  WHERE state IN ('due', 'held', 'running');
CREATE INDEX runs_to_cancel ON jobkit.run (id) WHERE cancel_asked_at IS NOT NULL AND finished_at IS NULL;
CREATE INDEX runs_to_start ON jobkit.run (start_before) WHERE state = 'due';

ALTER TABLE jobkit.part
  ADD COLUMN slot smallint CHECK (slot >= 1),
  ADD CONSTRAINT a_part_has_a_slot_only_while_it_runs CHECK (slot IS NULL OR state = 'running');
COMMENT ON COLUMN jobkit.part.slot IS
  'Which of the parts that may run at once of a job with such a limit it is.';
CREATE UNIQUE INDEX one_part_a_slot ON jobkit.part (job, slot) WHERE state = 'running' AND slot IS NOT NULL;

-- Half of a ledger would be room for changes: a run is changed twice in its life, in its first seconds.
ALTER TABLE jobkit.run SET (fillfactor = 95);
ALTER TABLE jobkit.part SET (fillfactor = 95);
-- Ascending, as the rows come: a page that is full is then left full.
DROP INDEX jobkit.runs_by_age;
CREATE INDEX runs_by_age ON jobkit.run (scheduled_for);
