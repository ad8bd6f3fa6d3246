-- Boards without copies: an entry stays for as many versions as nothing about it changes, and its place is counted
-- from the last mark before it. A refresh writes what has changed and a mark for every 128 entries, where it wrote
-- every entry anew.

DROP VIEW learning.leaderboard_top;
DROP FUNCTION learning.leaderboard_around;
DROP TABLE learning.leaderboard_entries;

CREATE TABLE learning.leaderboard_entries (
  user_id       bigint NOT NULL,
  period        text NOT NULL CHECK (period ~ '^(all|[0-9]{4}-W[0-9]{2})$'),
  category      text NOT NULL,
  since         bigint NOT NULL,
  until         bigint NOT NULL CHECK (since <= until),
  display_name  text NOT NULL,
  score         bigint NOT NULL CHECK (score > 0),
  accuracy      double precision NOT NULL CHECK (accuracy BETWEEN 0 AND 1),
  reached_at    timestamptz NOT NULL,
  -- An index is read without its table only if what it orders by are columns.
  behind        bigint NOT NULL GENERATED ALWAYS AS (- score) STORED,
  missed        double precision NOT NULL GENERATED ALWAYS AS (- accuracy) STORED
);
COMMENT ON TABLE learning.leaderboard_entries IS
  'What active learners have scored in a period and category, when it is anything; the category overall holds all of them.';
COMMENT ON COLUMN learning.leaderboard_entries.period IS
  'all, or a week of the ISO calendar such as 2026-W10: the current one, or the next where it has begun already.';
COMMENT ON COLUMN learning.leaderboard_entries.since IS 'The first version that shows the entry.';
COMMENT ON COLUMN learning.leaderboard_entries.until IS
  'The first version that shows it no more; the greatest number as long as nothing is known to have changed.';
COMMENT ON COLUMN learning.leaderboard_entries.reached_at IS
  'The end of the last session that added to the score: who reached it first stands before others with the same.';

INSERT INTO learning.leaderboard_entries
  (user_id, period, category, since, until, display_name, score, accuracy, reached_at)
SELECT user_id, period, category, 0, 9223372036854775807, display_name, score, accuracy, reached_at
FROM learning.scores JOIN learning.users USING (user_id) WHERE status = 'active';
DROP TABLE learning.scores;

ALTER TABLE learning.leaderboard_entries
  ADD PRIMARY KEY (user_id, period, category, since),
  ADD FOREIGN KEY (user_id) REFERENCES learning.users ON DELETE CASCADE;
-- The order of a board, so that it is read from here piece by piece, in whichever version.
CREATE INDEX entries_in_order ON learning.leaderboard_entries
  (period, category, behind, missed, reached_at, user_id) INCLUDE (since, until);
-- What no version shows any more, to be removed.
CREATE INDEX entries_ended ON learning.leaderboard_entries (until) WHERE until <> 9223372036854775807;

COMMENT ON TABLE learning.leaderboards IS
  'The versions of each board. Readers see the current one, whole; what only the one before has shown is removed at the next refresh.';
COMMENT ON COLUMN learning.leaderboards.version IS 'Later ones have higher numbers.';

CREATE TABLE learning.leaderboard_marks (
  board       text NOT NULL,
  category    text NOT NULL,
  version     bigint NOT NULL,
  place       bigint NOT NULL,
  rank        bigint NOT NULL,
  behind      bigint NOT NULL,
  missed      double precision NOT NULL,
  reached_at  timestamptz NOT NULL,
  user_id     bigint NOT NULL,
  PRIMARY KEY (version, board, category, place)
);
COMMENT ON TABLE learning.leaderboard_marks IS
  'Entries of each version of a board whose places are written down, the first among them: the others are counted from these.';
COMMENT ON COLUMN learning.leaderboard_marks.place IS
  'The order in which entries are shown, also within a tie: score, accuracy, who reached it first, user_id.';
COMMENT ON COLUMN learning.leaderboard_marks.rank IS 'Ties share a rank, and the next one counts them.';
CREATE INDEX marks_in_order ON learning.leaderboard_marks
  (version, board, category, behind, missed, reached_at, user_id);

WITH entry AS (
  SELECT board, category, version, behind, missed, reached_at, user_id, row_number() OVER in_order AS place,
    rank() OVER (PARTITION BY board, category ORDER BY behind) AS rank
  FROM learning.leaderboards JOIN learning.leaderboard_entries USING (period, category)
  WHERE is_current
  WINDOW in_order AS (PARTITION BY board, category ORDER BY behind, missed, reached_at, user_id)
), counted AS (
  UPDATE learning.leaderboards AS made SET entries = coalesce(size.entries, 0)
  FROM learning.leaderboards AS current
  LEFT JOIN (SELECT board, category, count(*) AS entries FROM entry GROUP BY 1, 2) AS size USING (board, category)
  WHERE current.is_current
    AND (made.board, made.category, made.version) = (current.board, current.category, current.version)
)
INSERT INTO learning.leaderboard_marks
  (board, category, version, place, rank, behind, missed, reached_at, user_id)
SELECT board, category, version, place, rank, behind, missed, reached_at, user_id FROM entry
WHERE (place - 1) % 128 = 0;

-- In PL/pgSQL, so that a session plans each once and not at every call.
CREATE FUNCTION learning.leaderboard_places(
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
    SELECT * FROM learning.leaderboard_marks AS mark
    WHERE mark.version = current.version AND mark.board = current.board AND mark.category = current.category
      AND mark.place <= greatest(first_place, 1)
    ORDER BY mark.place DESC LIMIT 1
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
  'The entries of a board as it is now, from one place to another: it reads these, and at most 127 before them.';

CREATE FUNCTION learning.leaderboard_around(
  learner bigint, of_board text, of_category text, neighbours integer DEFAULT 3
) RETURNS TABLE (
  place bigint, rank bigint, user_id bigint, display_name text, score bigint, accuracy double precision
) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  own_place bigint;
BEGIN
  SELECT mark.place - 1 + (
    SELECT count(*) FROM learning.leaderboard_entries AS before
    WHERE before.period = current.period AND before.category = current.category
      AND (before.behind, before.missed, before.reached_at, before.user_id)
        BETWEEN (mark.behind, mark.missed, mark.reached_at, mark.user_id)
        AND (own.behind, own.missed, own.reached_at, own.user_id)
      AND before.since <= current.version AND before.until > current.version)
  INTO own_place
  FROM learning.leaderboards AS current
  JOIN learning.leaderboard_entries AS own
    ON own.user_id = learner AND own.period = current.period AND own.category = current.category
    AND own.since <= current.version AND own.until > current.version
  CROSS JOIN LATERAL (
    SELECT * FROM learning.leaderboard_marks AS mark
    WHERE mark.version = current.version AND mark.board = current.board AND mark.category = current.category
      AND (mark.behind, mark.missed, mark.reached_at, mark.user_id)
        <= (own.behind, own.missed, own.reached_at, own.user_id)
    ORDER BY mark.behind DESC, mark.missed DESC, mark.reached_at DESC, mark.user_id DESC LIMIT 1
  ) AS mark
  WHERE current.is_current AND current.board = of_board AND current.category = of_category;
  RETURN QUERY SELECT * FROM learning.leaderboard_places(
    of_board, of_category, own_place - neighbours, own_place + neighbours);
END $$;
COMMENT ON FUNCTION learning.leaderboard_around IS
  'A learner''s place on a board and so many neighbours above and below; nothing for a learner who is not on it.';

CREATE VIEW learning.leaderboard_top AS
SELECT current.board, current.category, entry.place, entry.rank, entry.user_id, entry.display_name,
  entry.score, entry.accuracy, current.period, current.last_updated, current.cache_expires_at
FROM learning.leaderboards AS current
CROSS JOIN LATERAL learning.leaderboard_places(current.board, current.category, 1, 100) AS entry
WHERE current.is_current;
COMMENT ON VIEW learning.leaderboard_top IS
  'The first hundred of each board as it is now; the others are told by leaderboard_places.';
