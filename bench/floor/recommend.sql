-- The one to three weakest patterns of each learner, for the learner's day.
CREATE TEMP TABLE chosen ON COMMIT DROP AS
SELECT user_id, (:'at'::timestamptz AT TIME ZONE zone.name)::date AS local_day, rank::smallint, pattern_id,
  CASE WHEN conquest >= 0.75 THEN 'advanced' WHEN conquest < 0.5 THEN 'basic' ELSE 'standard' END AS difficulty,
  (8 - least(floor(conquest * 4), 3))::smallint AS sentences, plan = 'free' AND rank > 1 AS locked, conquest
FROM (
  SELECT user_id, pattern_id, conquest,
    row_number() OVER (PARTITION BY user_id ORDER BY conquest, pattern_id) AS rank
  FROM :standings AS standing WHERE attempts >= 5
) AS weakest
JOIN learning.users USING (user_id) JOIN bench.zone ON zone.name = users.zone
WHERE rank <= 3;
