-- The one to three weakest patterns of each learner, for the learner's day.
INSERT INTO learning.reviews
  (user_id, local_day, rank, pattern_id, difficulty, sentences, locked, conquest, at)
SELECT user_id, today, rank, pattern_id,
  CASE WHEN conquest >= 0.75 THEN 'advanced' WHEN conquest < 0.5 THEN 'basic' ELSE 'standard' END,
  8 - least(floor(conquest * 4), 3), plan = 'free' AND rank > 1, conquest, :'at'
FROM (
  SELECT user_id, pattern_id, conquest,
    row_number() OVER (PARTITION BY user_id ORDER BY conquest, pattern_id) AS rank
  FROM measured WHERE attempts >= 5
) AS weakest
JOIN learning.users USING (user_id)
JOIN (SELECT name, (:'at'::timestamptz AT TIME ZONE name)::date AS today FROM bench.zone) AS place
  ON place.name = users.zone
WHERE rank <= 3;
