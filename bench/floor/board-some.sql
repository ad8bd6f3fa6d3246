-- The boards after some sessions: the scores of those learners anew, then all boards from all scores.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL jit = off;

CREATE TEMP TABLE touched ON COMMIT DROP AS
SELECT DISTINCT user_id FROM learning.sessions WHERE server_received_at > :'since' AND server_received_at <= :'at';
ANALYZE touched;

CREATE TEMP TABLE counted ON COMMIT DROP AS
WITH part AS MATERIALIZED (
  SELECT user_id, category, CASE WHEN local_day >= :'monday' THEN to_char(local_day, 'IYYY-"W"IW') END AS week,
    sum(score) AS score, sum(accuracy::double precision) AS accuracy, count(*) AS sessions,
    max(ended_at) FILTER (WHERE score > 0) AS reached_at
  FROM touched JOIN learning.sessions USING (user_id)
  WHERE completed AND started_at <= ended_at AND ended_at <= server_received_at AND server_received_at <= :'at'
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

INSERT INTO learning.scores AS known (user_id, period, category, score, accuracy, reached_at)
SELECT counted.* FROM counted LEFT JOIN learning.scores AS known USING (user_id, period, category)
WHERE (counted.score, counted.accuracy, counted.reached_at)
  IS DISTINCT FROM (known.score, known.accuracy, known.reached_at)
ON CONFLICT (user_id, period, category) DO UPDATE
SET (score, accuracy, reached_at) = (excluded.score, excluded.accuracy, excluded.reached_at);

\ir boards.sql
COMMIT;
