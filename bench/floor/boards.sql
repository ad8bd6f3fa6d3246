-- All boards from all scores, as a new version that readers are switched to.
INSERT INTO learning.leaderboard_entries
  (board, category, version, place, rank, user_id, display_name, score, accuracy)
SELECT CASE period WHEN 'all' THEN 'all_time' ELSE 'weekly' END, category, :version,
  row_number() OVER (PARTITION BY period, category ORDER BY - score, - accuracy, reached_at, user_id),
  rank() OVER (PARTITION BY period, category ORDER BY - score), user_id, display_name, score, accuracy
FROM learning.scores JOIN learning.users USING (user_id)
WHERE period IN ('all', :'week') AND status = 'active';

INSERT INTO learning.leaderboards
  (board, category, version, period, is_current, entries, last_updated, cache_expires_at)
SELECT board, category, :version, CASE board WHEN 'all_time' THEN 'all' ELSE :'week' END, false, count(*), :'at',
  :'at'::timestamptz + interval '1 day'
FROM learning.leaderboard_entries WHERE version = :version GROUP BY board, category;
UPDATE learning.leaderboards SET is_current = (version = :version) WHERE is_current OR version = :version;
