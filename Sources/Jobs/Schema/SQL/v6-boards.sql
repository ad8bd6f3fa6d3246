-- Leaderboards, and what home screen widgets show.

CREATE TABLE learning.scores (
  user_id     bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  period      text NOT NULL CHECK (period ~ '^(all|[0-9]{4}-W[0-9]{2})$'),
  category    text NOT NULL,
  score       bigint NOT NULL CHECK (score > 0),
  accuracy    double precision NOT NULL CHECK (accuracy BETWEEN 0 AND 1),
  reached_at  timestamptz NOT NULL,
  PRIMARY KEY (user_id, period, category)
) WITH (fillfactor = 80);
COMMENT ON TABLE learning.scores IS
  'What a learner has scored in a period and category, when it is anything; the category overall holds all of them.';
COMMENT ON COLUMN learning.scores.period IS
  'all, or a week of the ISO calendar such as 2026-W10: the current one, or the next where it has begun already.';
COMMENT ON COLUMN learning.scores.reached_at IS 'The end of the last session that added to the score: who reached it first stands before others with the same.';
-- The order of a board, so that it is read from here piece by piece.
CREATE INDEX scores_in_order ON learning.scores
  (period, category, (- score), (- accuracy), reached_at, user_id);

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
  'The versions of each board. Readers see the current one, whole; the one before is removed at the next refresh.';
COMMENT ON COLUMN learning.leaderboards.version IS 'The instant as of which it was made, in microseconds since 1970.';
COMMENT ON COLUMN learning.leaderboards.cache_expires_at IS 'When the next version is to be expected.';

CREATE TABLE learning.leaderboard_entries (
  board         text NOT NULL,
  category      text NOT NULL,
  version       bigint NOT NULL,
  place         bigint NOT NULL,
  rank          bigint NOT NULL,
  user_id       bigint NOT NULL,
  display_name  text NOT NULL,
  score         bigint NOT NULL,
  accuracy      double precision NOT NULL,
  PRIMARY KEY (board, category, version, place)
);
COMMENT ON TABLE learning.leaderboard_entries IS 'The ranked rows of each version of a board.';
COMMENT ON COLUMN learning.leaderboard_entries.rank IS 'Ties share a rank, and the next one counts them.';
COMMENT ON COLUMN learning.leaderboard_entries.place IS 'The order in which rows are shown, also within a tie: accuracy, then who reached it first, then user_id.';
CREATE INDEX entries_of_learner ON learning.leaderboard_entries (user_id, board, category, version) INCLUDE (place);

CREATE VIEW learning.leaderboard_top AS
SELECT entry.board, entry.category, entry.place, entry.rank, entry.user_id, entry.display_name,
  entry.score, entry.accuracy, current.period, current.last_updated, current.cache_expires_at
FROM learning.leaderboards AS current
JOIN learning.leaderboard_entries AS entry USING (board, category, version)
WHERE current.is_current;
COMMENT ON VIEW learning.leaderboard_top IS
  'The boards as they are now: WHERE board = … AND category = … AND place <= 10 reads the ten rows and no more.';

CREATE FUNCTION learning.leaderboard_around(
  learner bigint, of_board text, of_category text, neighbours integer DEFAULT 3
) RETURNS TABLE (
  place bigint, rank bigint, user_id bigint, display_name text, score bigint, accuracy double precision
) LANGUAGE sql STABLE AS $$
  SELECT shown.place, shown.rank, shown.user_id, shown.display_name, shown.score, shown.accuracy
  FROM learning.leaderboards AS current
  JOIN learning.leaderboard_entries AS own
    ON own.board = current.board AND own.category = current.category
    AND own.version = current.version AND own.user_id = learner
  JOIN learning.leaderboard_entries AS shown
    ON shown.board = current.board AND shown.category = current.category
    AND shown.version = current.version
    AND shown.place BETWEEN own.place - neighbours AND own.place + neighbours
  WHERE current.is_current AND current.board = of_board AND current.category = of_category
  ORDER BY shown.place
$$;
COMMENT ON FUNCTION learning.leaderboard_around IS
  'A learner''s place on a board and so many neighbours above and below; nothing for a learner who is not on it.';

CREATE TABLE learning.widget_snapshots (
  user_id              bigint PRIMARY KEY REFERENCES learning.users ON DELETE CASCADE,
  local_day            date NOT NULL,
  sentences_remaining  smallint NOT NULL CHECK (sentences_remaining BETWEEN 0 AND 12),
  streak               integer NOT NULL CHECK (streak >= 0),
  tokens               smallint NOT NULL CHECK (tokens BETWEEN 0 AND 3),
  updated_at           timestamptz NOT NULL
) WITH (fillfactor = 80);
COMMENT ON TABLE learning.widget_snapshots IS 'What the home screen widgets show; a row changes only when what it shows does.';

-- Streaks and tokens tell since when they are as they are, which may be long before they were found to be so:
-- no instant of theirs says whether a widget has shown them. So each change leaves a line here.
CREATE TABLE learning.widget_changes (
  user_id  bigint PRIMARY KEY REFERENCES learning.users ON DELETE CASCADE
);
COMMENT ON TABLE learning.widget_changes IS
  'Learners whose streak or tokens have changed since their widgets were looked at last; whoever looks deletes the line.';

CREATE FUNCTION learning.note_widget_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO learning.widget_changes (user_id)
  SELECT DISTINCT user_id FROM changed ORDER BY user_id
  -- Not nothing: whoever is about to delete the line has to wait, and then sees the change.
  ON CONFLICT (user_id) DO UPDATE SET user_id = excluded.user_id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION learning.note_widget_change() IS 'Leaves a line for each learner whose row has changed.';

CREATE TRIGGER new_streaks_change_widgets AFTER INSERT ON learning.streaks
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION learning.note_widget_change();
CREATE TRIGGER streaks_change_widgets AFTER UPDATE ON learning.streaks
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION learning.note_widget_change();
CREATE TRIGGER new_tokens_change_widgets AFTER INSERT ON learning.brain_tokens
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION learning.note_widget_change();
CREATE TRIGGER tokens_change_widgets AFTER UPDATE ON learning.brain_tokens
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION learning.note_widget_change();

-- Whose local day it is that begins.
CREATE INDEX users_by_zone ON learning.users (zone);
