-- Leaderboards. An entry stays for as many versions as nothing about it changes, and its place is counted from the last
-- mark before it: a refresh writes what has changed, and a mark for every 128 entries.

CREATE TABLE learning.leaderboards (
  board             text NOT NULL CHECK (board IN ('weekly', 'all_time')),
  category          text NOT NULL,
  version           bigint NOT NULL,
  period            text NOT NULL,
  is_current        boolean NOT NULL,
  entries           integer NOT NULL,
  last_updated      timestamptz NOT NULL,
  cache_expires_at  timestamptz NOT NULL,
  PRIMARY KEY (board, category, version),
  -- Deferrable, so that one statement can switch from one to the other.
  CONSTRAINT one_current_board EXCLUDE USING btree (board WITH =, category WITH =)
    WHERE (is_current) DEFERRABLE INITIALLY IMMEDIATE
);
COMMENT ON TABLE learning.leaderboards IS
  'The versions of each board. Readers see the current one, whole; what only the one before has shown is removed at the next refresh.';
COMMENT ON COLUMN learning.leaderboards.version IS 'Later ones have higher numbers.';
COMMENT ON COLUMN learning.leaderboards.cache_expires_at IS 'When the next version is to be expected.';

CREATE TABLE learning.leaderboard_entries (
  user_id       bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
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
  missed        double precision NOT NULL GENERATED ALWAYS AS (- accuracy) STORED,
  PRIMARY KEY (user_id, period, category, since)
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
-- The order of a board, so that it is read from here piece by piece, in whichever version.
CREATE INDEX entries_in_order ON learning.leaderboard_entries
  (period, category, behind, missed, reached_at, user_id) INCLUDE (since, until);
-- What no version shows any more, to be removed.
CREATE INDEX entries_ended ON learning.leaderboard_entries (until) WHERE until <> 9223372036854775807;

CREATE TABLE learning.leaderboard_marks (
  board       text NOT NULL,
  category    text NOT NULL,
  version     bigint NOT NULL,
  place       bigint NOT NULL,
  rank        bigint NOT NULL,
  behind      bigint NOT NULL,
  missed      double precision NOT NULL,
  reached_at  timestamptz NOT NULL,
  user_id     bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  PRIMARY KEY (version, board, category, place)
);
COMMENT ON TABLE learning.leaderboard_marks IS
  'Entries of each version of a board whose places are written down, the first among them: the others are counted from these. A mark goes with its learner.';
COMMENT ON COLUMN learning.leaderboard_marks.place IS
  'The order in which entries are shown, also within a tie: score, accuracy, who reached it first, user_id.';
COMMENT ON COLUMN learning.leaderboard_marks.rank IS 'Ties share a rank, and the next one counts them.';
CREATE INDEX marks_in_order ON learning.leaderboard_marks
  (version, board, category, behind, missed, reached_at, user_id);
CREATE INDEX marks_of_learners ON learning.leaderboard_marks (user_id);

-- In PL/pgSQL, so that a session plans each once and not at every call.
CREATE FUNCTION learning.leaderboard_places(
  of_board text, of_category text, first_place bigint, last_place bigint
) RETURNS TABLE (
  place bigint, rank bigint, user_id bigint, display_name text, score bigint, accuracy double precision
) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp AS $$
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
CREATE FUNCTION learning.leaderboard_around(
  learner bigint, of_board text, of_category text, neighbours integer DEFAULT 3
) RETURNS TABLE (
  place bigint, rank bigint, user_id bigint, display_name text, score bigint, accuracy double precision
) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp AS $$
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
