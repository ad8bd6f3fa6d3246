-- A session that ended on the first date of Postgres can be kept, too: the day before it, of which the index asked,
-- is none, and so the row was refused. The app can read while the new index is built.

-- The condition is the opposite of what the jobs take for a session that can be.
CREATE INDEX sessions_astray ON learning.sessions (user_id) WHERE NOT (
  started_at <= ended_at
  AND (ended_at <= server_received_at
    OR ended_at AT TIME ZONE 'UTC' <= (server_received_at AT TIME ZONE 'UTC') + interval '10 minutes')
  AND local_day BETWEEN greatest((ended_at AT TIME ZONE 'UTC')::date, '4714-11-25 BC') - 1
    AND (ended_at AT TIME ZONE 'UTC')::date + 1);
