-- A mark goes with its learner, too: no other table keeps a word of one who was deleted. Entries are counted from the
-- mark before, then, and on a board whose first is gone from before its first entry.
--
-- There is a mark for every 128 entries, so what is there is looked at here: those of learners who are gone already go.

ALTER TABLE learning.leaderboard_marks
  ADD CONSTRAINT leaderboard_marks_user_id_fkey FOREIGN KEY (user_id) REFERENCES learning.users ON DELETE CASCADE NOT VALID;
DELETE FROM learning.leaderboard_marks AS mark
WHERE NOT EXISTS (SELECT FROM learning.users WHERE users.user_id = mark.user_id);
ALTER TABLE learning.leaderboard_marks VALIDATE CONSTRAINT leaderboard_marks_user_id_fkey;
CREATE INDEX marks_of_learners ON learning.leaderboard_marks (user_id);
COMMENT ON TABLE learning.leaderboard_marks IS
  'Entries of each version of a board whose places are written down, the first among them: the others are counted from these. A mark goes with its learner.';

CREATE OR REPLACE FUNCTION learning.leaderboard_places(
  of_board text, of_category text, first_place bigint, last_place bigint
) RETURNS TABLE (
  place bigint, rank bigint, user_id bigint, display_name text, score bigint, accuracy double precision
) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT entry.place, entry.rank, entry.user_id, entry.display_name, entry.score, entry.accuracy
  FROM learning.leaderboards AS current
  CROSS JOIN LATERAL (
    (SELECT mark.place, mark.rank, mark.behind, mark.missed, mark.reached_at, mark.user_id
    FROM learning.leaderboard_marks AS mark
    WHERE mark.version = current.version AND mark.board = current.board AND mark.category = current.category
      AND mark.place <= greatest(first_place, 1)
    ORDER BY mark.place DESC LIMIT 1)
    -- Before every entry, for a board whose first mark is gone: no score is as high.
    UNION ALL SELECT 1, 1, '-9223372036854775808'::bigint, 0, '-infinity', 0
    ORDER BY behind DESC LIMIT 1
  ) AS mark
  CROSS JOIN LATERAL (
    SELECT following.*, mark.place - 1 + row_number() OVER (ORDER BY behind, missed, reached_at, user_id) AS place,
      CASE WHEN behind = mark.behind THEN mark.rank
      ELSE mark.place - 1 + rank() OVER (ORDER BY behind) END AS rank
    FROM (
      SELECT user_id, display_name, score, accuracy, behind, missed, reached_at
      FROM learning.leaderboard_entries AS entry
      WHERE entry.period = current.period AND entry.category = current.category
        AND (behind, missed, reached_at, user_id) >= (mark.behind, mark.missed, mark.reached_at, mark.user_id)
        AND since <= current.version AND until > current.version
      ORDER BY behind, missed, reached_at, user_id LIMIT greatest(last_place - mark.place + 1, 0)
    ) AS following
  ) AS entry
  WHERE current.is_current AND current.board = of_board AND current.category = of_category
    AND entry.place >= first_place
  ORDER BY entry.place;
END $$;
COMMENT ON FUNCTION learning.leaderboard_places IS
  'The entries of a board as it is now, from one place to another: it reads these, and at most 127 before them, or more where learners of marks were deleted since.';

-- Read on from the learner's own entry in both directions, and numbered from its place alone: places from a mark further
-- up do not go with it where entries in between are gone.
CREATE OR REPLACE FUNCTION learning.leaderboard_around(
  learner bigint, of_board text, of_category text, neighbours integer DEFAULT 3
) RETURNS TABLE (
  place bigint, rank bigint, user_id bigint, display_name text, score bigint, accuracy double precision
) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT entry.place, entry.rank, entry.user_id, entry.display_name, entry.score, entry.accuracy
  FROM learning.leaderboards AS current
  JOIN learning.leaderboard_entries AS own
    ON own.user_id = learner AND own.period = current.period AND own.category = current.category
    AND own.since <= current.version AND own.until > current.version
  CROSS JOIN LATERAL (
    (SELECT mark.place, mark.behind, mark.missed, mark.reached_at, mark.user_id
    FROM learning.leaderboard_marks AS mark
    WHERE mark.version = current.version AND mark.board = current.board AND mark.category = current.category
      AND (mark.behind, mark.missed, mark.reached_at, mark.user_id)
        <= (own.behind, own.missed, own.reached_at, own.user_id)
    ORDER BY mark.behind DESC, mark.missed DESC, mark.reached_at DESC, mark.user_id DESC LIMIT 1)
    UNION ALL SELECT 1, '-9223372036854775808'::bigint, 0, '-infinity', 0
    ORDER BY behind DESC LIMIT 1
  ) AS mark
  CROSS JOIN LATERAL (
    SELECT mark.place - 1 + count(*) AS place FROM learning.leaderboard_entries AS before
    WHERE before.period = current.period AND before.category = current.category
      AND (before.behind, before.missed, before.reached_at, before.user_id)
        BETWEEN (mark.behind, mark.missed, mark.reached_at, mark.user_id)
        AND (own.behind, own.missed, own.reached_at, own.user_id)
      AND before.since <= current.version AND before.until > current.version
  ) AS counted
  CROSS JOIN LATERAL (
    SELECT above.*, counted.place + 1
      - row_number() OVER (ORDER BY behind DESC, missed DESC, reached_at DESC, user_id DESC) AS place
    FROM (
      SELECT behind, missed, reached_at, user_id
      FROM learning.leaderboard_entries AS entry
      WHERE entry.period = current.period AND entry.category = current.category
        AND (behind, missed, reached_at, user_id) <= (own.behind, own.missed, own.reached_at, own.user_id)
        AND since <= current.version AND until > current.version
      ORDER BY behind DESC, missed DESC, reached_at DESC, user_id DESC
      LIMIT least(greatest(neighbours, 0), counted.place - 1) + 1
    ) AS above
    ORDER BY place LIMIT 1
  ) AS topmost
  -- Who has the score of the mark before has its rank; else those who share the score are all behind that mark.
  CROSS JOIN LATERAL (
    (SELECT mark.rank, mark.behind FROM learning.leaderboard_marks AS mark
    WHERE mark.version = current.version AND mark.board = current.board AND mark.category = current.category
      AND (mark.behind, mark.missed, mark.reached_at, mark.user_id)
        <= (topmost.behind, topmost.missed, topmost.reached_at, topmost.user_id)
    ORDER BY mark.behind DESC, mark.missed DESC, mark.reached_at DESC, mark.user_id DESC LIMIT 1)
    UNION ALL SELECT 1, '-9223372036854775808'::bigint
    ORDER BY behind DESC LIMIT 1
  ) AS ranked
  CROSS JOIN LATERAL (
    SELECT count(*) AS above FROM learning.leaderboard_entries AS tied
    WHERE ranked.behind <> topmost.behind
      AND tied.period = current.period AND tied.category = current.category AND tied.behind = topmost.behind
      AND (tied.missed, tied.reached_at, tied.user_id) < (topmost.missed, topmost.reached_at, topmost.user_id)
      AND tied.since <= current.version AND tied.until > current.version
  ) AS tied
  CROSS JOIN LATERAL (
    SELECT following.*, topmost.place - 1 + row_number() OVER (ORDER BY behind, missed, reached_at, user_id) AS place,
      CASE WHEN behind <> topmost.behind THEN topmost.place - 1 + rank() OVER (ORDER BY behind)
      WHEN behind = ranked.behind THEN ranked.rank ELSE topmost.place - tied.above END AS rank
    FROM (
      SELECT user_id, display_name, score, accuracy, behind, missed, reached_at
      FROM learning.leaderboard_entries AS entry
      WHERE entry.period = current.period AND entry.category = current.category
        AND (behind, missed, reached_at, user_id)
          >= (topmost.behind, topmost.missed, topmost.reached_at, topmost.user_id)
        AND since <= current.version AND until > current.version
      ORDER BY behind, missed, reached_at, user_id
      LIMIT counted.place - topmost.place + 1 + greatest(neighbours, 0)
    ) AS following
  ) AS entry
  WHERE current.is_current AND current.board = of_board AND current.category = of_category
  ORDER BY entry.place;
END $$;
