-- Who is due is read from the index that knows when: each plan and each list of a run went to the table for the ids.

CREATE INDEX streaks_due ON learning.streaks (check_at) INCLUDE (user_id) WHERE check_at IS NOT NULL;
CREATE INDEX agenda_due ON learning.push_agenda (look_at) INCLUDE (user_id);

DROP INDEX learning.streaks_to_check;
DROP INDEX learning.push_agenda_due;
ALTER INDEX learning.streaks_due RENAME TO streaks_to_check;
ALTER INDEX learning.agenda_due RENAME TO push_agenda_due;
