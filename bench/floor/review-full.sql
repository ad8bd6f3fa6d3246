-- Measures and reviews of everybody, made from nothing.
-- The average of a chain of answers is a sum of weighted ones, so one ordered pass over the key's index
-- does for both conquests.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL jit = off;

\set whose 'true'
\ir measure.sql

INSERT INTO learning.pattern_conquest (user_id, pattern_id, ewma, hint_rate, first_try_rate, conquest,
  week_before, trend, attempts, measured_at)
SELECT user_id, pattern_id, ewma, hint_rate, first_try_rate, conquest, week_before,
  CASE WHEN conquest - week_before >= 0.05 THEN 'rising' WHEN conquest - week_before <= -0.05 THEN 'falling'
    ELSE 'steady' END, attempts, measured_at
FROM measured;

\ir recommend.sql
COMMIT;
