-- Retention, and crash loops.
--
-- What is old enough to be forgotten is found by its outcome and its end, and so are the newest runs of each job, which are
-- kept whatever their age.

CREATE INDEX runs_by_end ON jobkit.run (job, state, finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX runs_that_ran ON jobkit.run (job, scheduled_for DESC) WHERE started_at IS NOT NULL;

-- A crash loop is a part that loses its worker and comes no further, not one that has a long way to go.
ALTER TABLE jobkit.part
  ADD COLUMN standstills integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT standstills_are_interruptions CHECK (standstills BETWEEN 0 AND interruptions);
COMMENT ON COLUMN jobkit.part.interruptions IS 'How often its worker was lost, which is no failure.';
COMMENT ON COLUMN jobkit.part.standstills IS
  'How often its worker was lost since it last came further; the cap ends crash loops.';
