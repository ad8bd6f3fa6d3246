-- A version of all boards from all entries: marks, how many there are, and the switch of readers.
WITH RECURSIVE board AS (
  SELECT period, (SELECT min(category) FROM learning.leaderboard_entries AS entry WHERE entry.period = name.period)
    AS category
  FROM (VALUES ('all'), (:'week')) AS name (period)
  UNION ALL
  SELECT period, (SELECT min(category) FROM learning.leaderboard_entries AS entry
    WHERE entry.period = board.period AND entry.category > board.category)
  FROM board WHERE category IS NOT NULL
), mark AS (
  SELECT period, category, 1::bigint AS place, 1::bigint AS rank, behind, missed, reached_at, user_id
  FROM board CROSS JOIN LATERAL (
    SELECT behind, missed, reached_at, user_id FROM learning.leaderboard_entries AS entry
    WHERE (entry.period, entry.category) = (board.period, board.category) AND since <= :version AND until > :version
    ORDER BY behind, missed, reached_at, user_id LIMIT 1) AS first
  UNION ALL
  SELECT period, category, place + 128, CASE WHEN next.behind = mark.behind THEN rank ELSE place + 128 - (
      SELECT count(*) FROM learning.leaderboard_entries AS tied
      WHERE (tied.period, tied.category) = (mark.period, mark.category) AND tied.behind = next.behind
        AND (tied.missed, tied.reached_at, tied.user_id) < (next.missed, next.reached_at, next.user_id)
        AND since <= :version AND until > :version) END,
    next.behind, next.missed, next.reached_at, next.user_id
  FROM mark CROSS JOIN LATERAL (
    SELECT behind, missed, reached_at, user_id FROM learning.leaderboard_entries AS entry
    WHERE (entry.period, entry.category) = (mark.period, mark.category)
      AND (entry.behind, entry.missed, entry.reached_at, entry.user_id)
        > (mark.behind, mark.missed, mark.reached_at, mark.user_id)
      AND since <= :version AND until > :version
    ORDER BY behind, missed, reached_at, user_id OFFSET 127 LIMIT 1) AS next
)
INSERT INTO learning.leaderboard_marks
  (board, category, version, place, rank, behind, missed, reached_at, user_id)
SELECT CASE period WHEN 'all' THEN 'all_time' ELSE 'weekly' END, category, :version, place, rank, behind, missed,
  reached_at, user_id
FROM mark;

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
