-- Retention, and crash loops.

-- What is old enough to be forgotten is found by its end, each outcome for itself: one that is remembered for long must
-- not be in the way of the others.
CREATE INDEX successes_by_end ON jobkit.run (finished_at) WHERE state = 'succeeded';
CREATE INDEX failures_by_end ON jobkit.run (finished_at) WHERE state IN ('failed', 'cancelled');
CREATE INDEX never_ran_by_end ON jobkit.run (finished_at) WHERE state IN ('skipped', 'missed', 'collapsed');
-- With the index of ticks it tells the newest runs of a job that ran.
CREATE INDEX runs_beside_the_schedule ON jobkit.run (job, scheduled_for)
  WHERE trigger <> 'schedule' AND started_at IS NOT NULL;

-- A crash loop is a part that loses its worker and comes no further, not one that has a long way to go.
ALTER TABLE jobkit.part
  ADD COLUMN losses_without_progress integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT losses_without_progress_are_worker_losses CHECK (losses_without_progress BETWEEN 0 AND worker_losses);
COMMENT ON COLUMN jobkit.part.worker_losses IS 'How often its worker was lost, which is no failure.';
COMMENT ON COLUMN jobkit.part.losses_without_progress IS
  'How often its worker was lost since it last came further; the cap ends crash loops.';
