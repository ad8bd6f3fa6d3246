-- The boards after some sessions: what changes of those learners' entries, then marks on all boards.
-- What it does less: sessions that cannot be are left out, but not put aside.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL jit = off;
-- As the job's chunks do.
SET LOCAL synchronous_commit = off;
SELECT coalesce(max(version), 0) + 1 AS version FROM learning.leaderboards \gset

CREATE TEMP TABLE touched ON COMMIT DROP AS
SELECT user_id FROM learning.sessions WHERE server_received_at > :'since' AND server_received_at <= :'at'
UNION SELECT user_id FROM learning.users WHERE changed_at > :'since' AND changed_at <= :'at';
ANALYZE touched;

CREATE TEMP TABLE counted ON COMMIT DROP AS
WITH part AS MATERIALIZED (
  SELECT user_id, category, CASE WHEN local_day >= :'monday' THEN to_char(local_day, 'IYYY-"W"IW') END AS week,
    sum(score) AS score, sum(accuracy::double precision) AS accuracy, count(*) AS sessions,
    max(ended_at) FILTER (WHERE score > 0) AS reached_at
  FROM touched JOIN learning.sessions USING (user_id)
  WHERE completed AND started_at <= ended_at AND ended_at <= server_received_at + interval '10 minutes'
    AND server_received_at <= :'at'
    AND local_day BETWEEN (ended_at AT TIME ZONE 'UTC')::date - 1 AND (ended_at AT TIME ZONE 'UTC')::date + 1
  GROUP BY 1, 2, 3
)
SELECT user_id, period, category, sum(score)::bigint AS score,
  floor(sum(accuracy) / sum(sessions) * 1000000 + 0.5) / 1000000 AS accuracy, max(reached_at) AS reached_at
FROM (
  SELECT user_id, 'all' AS period, category, score, accuracy, sessions, reached_at FROM part
  UNION ALL SELECT user_id, 'all', 'overall', score, accuracy, sessions, reached_at FROM part
  UNION ALL SELECT user_id, week, category, score, accuracy, sessions, reached_at FROM part WHERE week IS NOT NULL
  UNION ALL SELECT user_id, week, 'overall', score, accuracy, sessions, reached_at FROM part WHERE week IS NOT NULL
) AS score GROUP BY 1, 2, 3 HAVING sum(score) > 0;

CREATE TEMP TABLE changed ON COMMIT DROP AS
SELECT user_id, period, category, display_name, counted.score, counted.accuracy, counted.reached_at
FROM (SELECT counted.*, display_name FROM counted JOIN learning.users USING (user_id) WHERE status = 'active') AS counted
FULL JOIN (
  SELECT entry.* FROM touched JOIN learning.leaderboard_entries AS entry USING (user_id)
  WHERE until = 9223372036854775807
) AS known USING (user_id, period, category, display_name)
WHERE (counted.score, counted.accuracy, counted.reached_at)
  IS DISTINCT FROM (known.score, known.accuracy, known.reached_at);
ANALYZE changed;

UPDATE learning.leaderboard_entries AS known SET until = :version FROM changed
WHERE (known.user_id, known.period, known.category) = (changed.user_id, changed.period, changed.category)
  AND until = 9223372036854775807;
INSERT INTO learning.leaderboard_entries
  (user_id, period, category, since, until, display_name, score, accuracy, reached_at)
SELECT user_id, period, category, :version, 9223372036854775807, display_name, score, accuracy, reached_at
FROM changed WHERE score IS NOT NULL;

\ir boards.sql
COMMIT;
