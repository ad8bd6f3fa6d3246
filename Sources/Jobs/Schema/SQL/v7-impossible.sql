-- The few rows of the app that cannot be: jobs put them aside, and find them without looking at all others.

CREATE INDEX attempts_impossible ON learning.attempts (user_id) WHERE answered_at > received_at;

-- The condition is the opposite of what the jobs take for a session that can be.
CREATE INDEX sessions_impossible ON learning.sessions (user_id) WHERE NOT (
  started_at <= ended_at AND ended_at <= server_received_at
  AND local_day BETWEEN (ended_at AT TIME ZONE 'UTC')::date - 1 AND (ended_at AT TIME ZONE 'UTC')::date + 1);
