-- Who flies east finds a day of the calendar gone, and neither of the two calendars has missed it. To tell, a job has
-- to know where the learner lived before and when that ended; the app writes the zone, and this notes what it was.
--
-- Constraints are not for the rows that are there: none can break them, and to read them all would keep the app
-- waiting.

ALTER TABLE learning.users
  ADD COLUMN zone_before text,
  ADD COLUMN moved_at timestamptz,
  ADD CONSTRAINT who_has_moved_came_from_somewhere CHECK ((zone_before IS NULL) = (moved_at IS NULL)) NOT VALID;
COMMENT ON COLUMN learning.users.zone_before IS
  'The zone before the latest move, or where several moves within two days of each other began; null: the zone has never changed. Kept by a trigger, not by the app.';
COMMENT ON COLUMN learning.users.moved_at IS
  'The changed_at with which the zone changed last.';

CREATE FUNCTION learning.note_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A layover is no home, nor is a zone that was set by mistake.
  NEW.zone_before := CASE WHEN OLD.moved_at > NEW.changed_at - interval '48 hours' THEN OLD.zone_before
    ELSE OLD.zone END;
  NEW.moved_at := NEW.changed_at;
  RETURN NEW;
END $$;
COMMENT ON FUNCTION learning.note_move() IS 'Keeps zone_before and moved_at true when a learner''s zone changes.';
CREATE TRIGGER users_note_move BEFORE UPDATE OF zone ON learning.users
  FOR EACH ROW WHEN (OLD.zone IS DISTINCT FROM NEW.zone) EXECUTE FUNCTION learning.note_move();

ALTER TABLE learning.streak_repairs
  DROP CONSTRAINT streak_repairs_state_check,
  ADD CONSTRAINT streak_repairs_state_check CHECK (state IN (
    'offered', 'accepted', 'repaired', 'lapsed', 'returned', 'withdrawn', 'travelled')) NOT VALID;
COMMENT ON TABLE learning.streak_repairs IS
  'The offer to repair a missed day with a brain token, which the app shows and turns into accepted; and days that a move has skipped.';
COMMENT ON COLUMN learning.streak_repairs.state IS
  'offered and accepted wait; repaired: a token was spent; returned: the day turned out to be studied, the token was given back; withdrawn: so it did before one was spent; lapsed: the time passed; travelled: a move has skipped the day, which cost no token.';

ALTER TABLE learning.streak_events
  DROP CONSTRAINT streak_events_event_check,
  ADD CONSTRAINT streak_events_event_check CHECK (event IN (
    'extended', 'repairable', 'repaired', 'reset', 'restored', 'travelled')) NOT VALID;

COMMENT ON COLUMN learning.streaks.length IS
  'Studied days in the chain; a day that a token repaired, or that a move has skipped, keeps the chain and adds nothing.';
COMMENT ON COLUMN learning.streaks.last_day IS 'The last local day that the chain reaches: studied, repaired, or skipped by a move.';
