-- Measures and reviews of those of whom attempts have arrived.
-- All of a learner's patterns are measured, as the weakest are chosen among all; only what differs is written.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL jit = off;

CREATE TEMP TABLE touched ON COMMIT DROP AS
SELECT DISTINCT user_id FROM learning.attempts WHERE received_at > :'since' AND received_at <= :'at';
ANALYZE touched;

\set whose 'user_id = ANY (ARRAY (SELECT user_id FROM touched))'
\ir measure.sql
ANALYZE measured;

INSERT INTO learning.pattern_conquest AS known (user_id, pattern_id, ewma, hint_rate, first_try_rate, conquest,
  week_before, trend, attempts, measured_at)
SELECT user_id, pattern_id, measured.ewma, measured.hint_rate, measured.first_try_rate, measured.conquest,
  measured.week_before, CASE WHEN measured.conquest - measured.week_before >= 0.05 THEN 'rising'
    WHEN measured.conquest - measured.week_before <= -0.05 THEN 'falling' ELSE 'steady' END,
  measured.attempts, measured.measured_at
FROM measured LEFT JOIN learning.pattern_conquest AS known USING (user_id, pattern_id)
WHERE known.measured_at IS DISTINCT FROM measured.measured_at OR known.attempts <> measured.attempts
ON CONFLICT (user_id, pattern_id) DO UPDATE SET (ewma, hint_rate, first_try_rate, conquest, week_before, trend,
  attempts, measured_at) = (excluded.ewma, excluded.hint_rate, excluded.first_try_rate, excluded.conquest,
  excluded.week_before, excluded.trend, excluded.attempts, excluded.measured_at);

DELETE FROM learning.reviews USING touched, learning.users, bench.zone
WHERE reviews.user_id = touched.user_id AND users.user_id = touched.user_id AND zone.name = users.zone
  AND local_day = (:'at'::timestamptz AT TIME ZONE zone.name)::date AND state = 'open';
\ir recommend.sql
COMMIT;
