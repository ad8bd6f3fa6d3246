-- A clock that is some seconds fast is no reason to put anything aside: what cannot be is more than ten minutes ahead
-- of the server. The app can read while the new indexes are built, and the old ones go when all else is done.

-- The conditions are the opposite of what the jobs take for a session and an attempt that can be.
CREATE INDEX sessions_ahead ON learning.sessions (user_id) WHERE NOT (
  started_at <= ended_at
  AND (ended_at <= server_received_at
    OR ended_at AT TIME ZONE 'UTC' <= (server_received_at AT TIME ZONE 'UTC') + interval '10 minutes')
  AND local_day BETWEEN (ended_at AT TIME ZONE 'UTC')::date - 1 AND (ended_at AT TIME ZONE 'UTC')::date + 1);

CREATE INDEX attempts_ahead ON learning.attempts (user_id) WHERE NOT (
  answered_at <= received_at
  OR answered_at AT TIME ZONE 'UTC' <= (received_at AT TIME ZONE 'UTC') + interval '10 minutes');

-- What was put aside and can be after all is news to every job, as if it were written now.
WITH freed AS (
  UPDATE learning.sessions SET completed = completed
  WHERE NOT (
    started_at <= ended_at AND ended_at <= server_received_at
    AND local_day BETWEEN (ended_at AT TIME ZONE 'UTC')::date - 1 AND (ended_at AT TIME ZONE 'UTC')::date + 1)
    AND started_at <= ended_at AND ended_at <= server_received_at + interval '10 minutes'
    AND local_day BETWEEN (ended_at AT TIME ZONE 'UTC')::date - 1 AND (ended_at AT TIME ZONE 'UTC')::date + 1
  RETURNING user_id, session_id
)
DELETE FROM learning.quarantine AS line USING freed
WHERE line.user_id = freed.user_id AND line.source = 'sessions' AND line.row_key = freed.session_id::text;

WITH freed AS (
  UPDATE learning.attempts SET correct = correct
  WHERE answered_at > received_at AND answered_at <= received_at + interval '10 minutes'
  RETURNING user_id, attempt_id
)
DELETE FROM learning.quarantine AS line USING freed
WHERE line.user_id = freed.user_id AND line.source = 'attempts' AND line.row_key = freed.attempt_id::text;

COMMENT ON COLUMN learning.sessions.ended_at IS 'By the phone''s clock, which may be up to ten minutes ahead of the server''s.';
COMMENT ON COLUMN learning.attempts.answered_at IS 'By the phone''s clock, which may be up to ten minutes ahead of the server''s.';

DROP INDEX learning.sessions_impossible, learning.attempts_impossible;
ALTER INDEX learning.sessions_ahead RENAME TO sessions_impossible;
ALTER INDEX learning.attempts_ahead RENAME TO attempts_impossible;
