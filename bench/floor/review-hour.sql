-- Measures and reviews of those of whom attempts have arrived.
-- Those patterns are measured at which they are, and only what differs is written; the weakest are chosen among all of
-- a learner's. What it does less: nobody else may write measures or reviews meanwhile.
BEGIN;
SET LOCAL work_mem = '512MB';
SET LOCAL temp_buffers = '512MB';
SET LOCAL jit = off;
-- As the job's chunks do.
SET LOCAL synchronous_commit = off;

CREATE TEMP TABLE touched ON COMMIT DROP AS
SELECT DISTINCT user_id, pattern_id FROM learning.attempts WHERE received_at > :'since' AND received_at <= :'at';
CREATE TEMP TABLE learner ON COMMIT DROP AS SELECT DISTINCT user_id FROM touched;
ANALYZE touched, learner;

\set whose '(user_id, pattern_id) IN (SELECT user_id, pattern_id FROM touched)'
\ir measure.sql
ANALYZE measured (user_id, pattern_id, attempts, measured_at);

WITH news AS MATERIALIZED (
  SELECT measured.*, known.user_id IS NULL AS is_new
  FROM measured LEFT JOIN learning.pattern_conquest AS known USING (user_id, pattern_id)
  WHERE known.measured_at IS DISTINCT FROM measured.measured_at OR known.attempts <> measured.attempts
), added AS (
  INSERT INTO learning.pattern_conquest (user_id, pattern_id, ewma, hint_rate, first_try_rate, conquest,
    week_before, trend, attempts, measured_at)
  SELECT user_id, pattern_id, ewma, hint_rate, first_try_rate, conquest, week_before, trend, attempts, measured_at
  FROM news WHERE is_new
)
UPDATE learning.pattern_conquest AS known SET (ewma, hint_rate, first_try_rate, conquest, week_before, trend,
  attempts, measured_at) = ROW (news.ewma, news.hint_rate, news.first_try_rate, news.conquest, news.week_before,
  news.trend, news.attempts, news.measured_at)
FROM news WHERE NOT is_new AND known.user_id = news.user_id AND known.pattern_id = news.pattern_id;

\set standings '(SELECT * FROM learning.pattern_conquest WHERE user_id IN (SELECT user_id FROM learner))'
\ir recommend.sql
ANALYZE chosen (user_id, local_day, rank);

-- What is withdrawn goes first: a pattern is on a day once at any time. One that keeps its rank is told anew where it
-- lies. What was added up in another order has another last digit, which is no reason to do so.
DELETE FROM learning.reviews USING learner, learning.users, bench.zone
WHERE reviews.user_id = learner.user_id AND users.user_id = learner.user_id AND zone.name = users.zone
  AND local_day = (:'at'::timestamptz AT TIME ZONE zone.name)::date AND state = 'open'
  AND NOT EXISTS (SELECT FROM chosen WHERE chosen.user_id = reviews.user_id AND chosen.local_day = reviews.local_day
    AND (chosen.rank, chosen.pattern_id) = (reviews.rank, reviews.pattern_id));
UPDATE learning.reviews SET difficulty = chosen.difficulty, sentences = chosen.sentences, locked = chosen.locked,
  conquest = chosen.conquest, at = :'at'
FROM chosen
WHERE reviews.user_id = chosen.user_id AND reviews.local_day = chosen.local_day AND reviews.rank = chosen.rank
  AND state = 'open' AND ((chosen.difficulty, chosen.sentences, chosen.locked)
      <> (reviews.difficulty, reviews.sentences, reviews.locked)
    OR abs(chosen.conquest - reviews.conquest) >= 1e-9);
INSERT INTO learning.reviews (user_id, local_day, rank, pattern_id, difficulty, sentences, locked, conquest, at)
SELECT chosen.*, :'at' FROM chosen
WHERE NOT EXISTS (SELECT FROM learning.reviews AS known WHERE known.user_id = chosen.user_id
  AND known.local_day = chosen.local_day AND known.rank = chosen.rank);
COMMIT;
