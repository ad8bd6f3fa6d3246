-- The boards of everybody, made from nothing: the same entries and marks in one transaction.
-- A partial sum for each learner, category and week is what all four scores of a session come from.
-- What it does less: sessions that cannot be are left out, but not put aside.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL maintenance_work_mem = '512MB';
SET LOCAL jit = off;
-- As the job's chunks do.
SET LOCAL synchronous_commit = off;
SET LOCAL max_parallel_workers_per_gather = 2;
SELECT coalesce(max(version), 0) + 1 AS version FROM learning.leaderboards \gset

CREATE TEMP TABLE part ON COMMIT DROP AS
SELECT user_id, category, CASE WHEN local_day >= :'monday' THEN to_char(local_day, 'IYYY-"W"IW') END AS week,
  sum(score) AS score, sum(accuracy::double precision) AS accuracy, count(*) AS sessions,
  max(ended_at) FILTER (WHERE score > 0) AS reached_at
FROM learning.sessions
WHERE completed AND started_at <= ended_at AND ended_at <= server_received_at + interval '10 minutes'
  AND server_received_at <= :'at'
  AND local_day BETWEEN (ended_at AT TIME ZONE 'UTC')::date - 1 AND (ended_at AT TIME ZONE 'UTC')::date + 1
GROUP BY 1, 2, 3;

CREATE TEMP TABLE counted ON COMMIT DROP AS
SELECT user_id, period, category, sum(score)::bigint AS score,
  floor(sum(accuracy) / sum(sessions) * 1000000 + 0.5) / 1000000 AS accuracy, max(reached_at) AS reached_at
FROM (
  SELECT user_id, 'all' AS period, category, score, accuracy, sessions, reached_at FROM part
  UNION ALL SELECT user_id, 'all', 'overall', score, accuracy, sessions, reached_at FROM part
  UNION ALL SELECT user_id, week, category, score, accuracy, sessions, reached_at FROM part WHERE week IS NOT NULL
  UNION ALL SELECT user_id, week, 'overall', score, accuracy, sessions, reached_at FROM part WHERE week IS NOT NULL
) AS score GROUP BY 1, 2, 3 HAVING sum(score) > 0;

INSERT INTO learning.leaderboard_entries
  (user_id, period, category, since, until, display_name, score, accuracy, reached_at)
SELECT user_id, period, category, :version, 9223372036854775807, display_name, score, accuracy, reached_at
FROM counted JOIN learning.users USING (user_id) WHERE status = 'active' ORDER BY user_id, period, category;
ANALYZE learning.leaderboard_entries;

\ir boards.sql
COMMIT;
