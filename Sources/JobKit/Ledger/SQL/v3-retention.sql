-- Retention: what is old enough to be forgotten is found by its outcome and its end, and so are the newest runs of
-- each job, which are kept whatever their age.

CREATE INDEX runs_by_end ON jobkit.run (job, state, finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX runs_that_ran ON jobkit.run (job, scheduled_for DESC) WHERE started_at IS NOT NULL;
