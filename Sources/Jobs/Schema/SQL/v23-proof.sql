-- Everything that streaks have gone through belongs to one. A step of its own, as it reads two large tables, and nobody
-- waits for it.

ALTER TABLE learning.streak_events VALIDATE CONSTRAINT streak_events_streak_fkey;
ALTER TABLE learning.streak_repairs VALIDATE CONSTRAINT streak_repairs_streak_fkey;
