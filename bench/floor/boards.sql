-- A version of all boards from all entries: marks, how many there are, and the switch of readers.
INSERT INTO learning.leaderboard_marks
  (board, category, version, place, rank, behind, missed, reached_at, user_id)
SELECT CASE period WHEN 'all' THEN 'all_time' ELSE 'weekly' END, category, :version, place, rank, behind, missed,
  reached_at, user_id
FROM (
  SELECT *, row_number() OVER (PARTITION BY period, category ORDER BY behind, missed, reached_at, user_id) AS place,
    rank() OVER (PARTITION BY period, category ORDER BY behind) AS rank
  FROM learning.leaderboard_entries
  WHERE period IN ('all', :'week') AND since <= :version AND until > :version
) AS entry WHERE (place - 1) % 128 = 0;

-- Entries are counted from each board's last mark.
INSERT INTO learning.leaderboards
  (board, category, version, period, is_current, entries, last_updated, cache_expires_at)
SELECT board, mark.category, :version, period, false, place - 1 + (
    SELECT count(*) FROM learning.leaderboard_entries AS entry
    WHERE entry.period = mark.period AND entry.category = mark.category
      AND (entry.behind, entry.missed, entry.reached_at, entry.user_id)
        >= (mark.behind, mark.missed, mark.reached_at, mark.user_id)
      AND since <= :version AND until > :version), :'at', :'at'::timestamptz + interval '1 day'
FROM (
  SELECT DISTINCT ON (board, category) *, CASE board WHEN 'all_time' THEN 'all' ELSE :'week' END AS period
  FROM learning.leaderboard_marks WHERE version = :version ORDER BY board, category, place DESC
) AS mark;
UPDATE learning.leaderboards SET is_current = (version = :version) WHERE is_current OR version = :version;
