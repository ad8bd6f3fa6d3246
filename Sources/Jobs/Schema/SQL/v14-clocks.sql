-- A clock that is some seconds fast is no reason to put anything aside: what cannot be is more than ten minutes ahead
-- of the server.

DROP INDEX learning.attempts_impossible, learning.sessions_impossible;

-- The conditions are the opposite of what the jobs take for an attempt and a session that can be.
CREATE INDEX attempts_impossible ON learning.attempts (user_id) WHERE NOT (
  answered_at <= received_at
  OR answered_at AT TIME ZONE 'UTC' <= (received_at AT TIME ZONE 'UTC') + interval '10 minutes');

CREATE INDEX sessions_impossible ON learning.sessions (user_id) WHERE NOT (
  started_at <= ended_at
  AND (ended_at <= server_received_at
    OR ended_at AT TIME ZONE 'UTC' <= (server_received_at AT TIME ZONE 'UTC') + interval '10 minutes')
  AND local_day BETWEEN (ended_at AT TIME ZONE 'UTC')::date - 1 AND (ended_at AT TIME ZONE 'UTC')::date + 1);

COMMENT ON COLUMN learning.sessions.ended_at IS 'By the phone''s clock, which may be up to ten minutes ahead of the server''s.';
COMMENT ON COLUMN learning.attempts.answered_at IS 'By the phone''s clock, which may be up to ten minutes ahead of the server''s.';
