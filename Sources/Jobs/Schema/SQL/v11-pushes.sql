-- A push changes its state twice within a second, and Postgres writes to every index when a column changes that any
-- of them asks for. So they ask for the moments of its end, which a claim leaves alone: then a claim writes to none,
-- where there is room beside the row.

DROP INDEX learning.notifications_due, learning.notifications_sending, learning.notifications_unanswered;
CREATE INDEX notifications_due ON learning.notifications (due_at) WHERE sent_at IS NULL AND ended_at IS NULL;
CREATE INDEX notifications_unanswered ON learning.notifications (local_day, user_id)
  WHERE sent_at IS NOT NULL AND ended_at IS NULL;

-- Room for most rows of a page to be claimed in the same minute.
ALTER TABLE learning.notifications SET (fillfactor = 60);

-- One that waits and has an end would never be found. Not for the rows that are there: none is like that, and to read
-- them all would keep deliverers waiting.
ALTER TABLE learning.notifications
  ADD CONSTRAINT what_waits_has_no_end CHECK (
    state NOT IN ('planned', 'sending') OR sent_at IS NULL AND ended_at IS NULL) NOT VALID;
