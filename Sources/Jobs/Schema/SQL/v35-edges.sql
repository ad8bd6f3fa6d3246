-- What jobs read as a day or a moment, and what is at no time: one such row would stop a job for everybody. The app has no
-- reason to write one, as a trigger keeps the moment of a move, and repairs and reviews come from the worker.
--
-- And sessions that the app deletes change streaks: that is an event, as every change is.
--
-- Not for the rows that are there: to read them all would keep the app waiting.

ALTER TABLE learning.users
  ADD CONSTRAINT a_move_was_made_at_some_time CHECK (moved_at BETWEEN '0001-01-01Z' AND '9999-12-31Z') NOT VALID;
ALTER TABLE learning.streak_repairs
  ADD CONSTRAINT a_repair_is_of_a_day CHECK (isfinite(day)) NOT VALID,
  ADD CONSTRAINT a_repair_was_offered_at_some_time CHECK (
    offered_at BETWEEN '0001-01-01Z' AND '9999-12-31Z' AND ended_at BETWEEN '0001-01-01Z' AND '9999-12-31Z') NOT VALID;
ALTER TABLE learning.reviews
  ADD CONSTRAINT a_review_is_of_a_day CHECK (isfinite(local_day)) NOT VALID;

ALTER TABLE learning.streak_events
  DROP CONSTRAINT streak_events_event_check,
  ADD CONSTRAINT streak_events_event_check CHECK (event IN (
    'extended', 'repairable', 'repaired', 'reset', 'restored', 'travelled', 'shortened')) NOT VALID;
COMMENT ON COLUMN learning.streak_events.event IS
  'extended: a day was studied; repairable, repaired: a day was missed while a token is held, and one was spent on it; reset: the chain has ended; restored: a reset or an offer is undone; travelled: a move has skipped a day; shortened: sessions of some of its days were deleted or corrected.';
