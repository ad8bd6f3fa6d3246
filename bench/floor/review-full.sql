-- Measures and reviews of everybody, made from nothing. Averages are added up in another order than the job's, so
-- that their last digit may differ. What it does less: attempts that cannot be are left out, but not put aside.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL temp_buffers = '512MB';
SET LOCAL jit = off;
-- As the job's chunks do.
SET LOCAL synchronous_commit = off;

\set whose true
\ir measure.sql

INSERT INTO learning.pattern_conquest (user_id, pattern_id, ewma, hint_rate, first_try_rate, conquest,
  week_before, trend, attempts, measured_at)
SELECT user_id, pattern_id, ewma, hint_rate, first_try_rate, conquest, week_before, trend, attempts, measured_at
FROM measured;

\set standings measured
\ir recommend.sql
INSERT INTO learning.reviews (user_id, local_day, rank, pattern_id, difficulty, sentences, locked, conquest, at)
SELECT chosen.*, :'at' FROM chosen;
COMMIT;
