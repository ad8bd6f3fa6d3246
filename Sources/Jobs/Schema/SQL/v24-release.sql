-- What streaks have gone through is held to learners by their streaks, and a line for widgets goes with these.

ALTER TABLE learning.streak_events DROP CONSTRAINT streak_events_user_id_fkey;
ALTER TABLE learning.streak_repairs DROP CONSTRAINT streak_repairs_user_id_fkey;
ALTER TABLE learning.widget_changes DROP CONSTRAINT widget_changes_user_id_fkey;
