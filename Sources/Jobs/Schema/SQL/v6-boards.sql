-- Leaderboards, and what home screen widgets show.

CREATE TABLE learning.scores (
  user_id     bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  period      text NOT NULL CHECK (period ~ '^(all|[0-9]{4}-W[0-9]{2})$'),
  category    text NOT NULL,
  score       bigint NOT NULL CHECK (score >= 0),
  accuracy    double precision NOT NULL CHECK (accuracy BETWEEN 0 AND 1),
  reached_at  timestamptz NOT NULL,
  PRIMARY KEY (user_id, period, category)
) WITH (fillfactor = 80);
COMMENT ON TABLE learning.scores IS 'What a learner has scored in a period and category; the category overall holds all of them.';
COMMENT ON COLUMN learning.scores.period IS 'all, or a week of the ISO calendar such as 2026-W10.';
COMMENT ON COLUMN learning.scores.reached_at IS 'The end of the last session that added to the score: who reached it first stands before others with the same.';

CREATE TABLE learning.leaderboards (
  board             text NOT NULL CHECK (board IN ('weekly', 'all_time')),
  category          text NOT NULL,
  version           bigint NOT NULL,
  period            text NOT NULL,
  is_current        boolean NOT NULL,
  entries           integer NOT NULL,
  last_updated      timestamptz NOT NULL,
  cache_expires_at  timestamptz NOT NULL,
  PRIMARY KEY (board, category, version)
);
COMMENT ON TABLE learning.leaderboards IS 'The versions of each board. Readers see the current one, whole; the one before is removed at the next refresh.';
CREATE UNIQUE INDEX one_current_board ON learning.leaderboards (board, category) WHERE is_current;

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

CREATE TABLE learning.widget_snapshots (
  user_id              bigint PRIMARY KEY REFERENCES learning.users ON DELETE CASCADE,
  local_day            date NOT NULL,
  sentences_remaining  smallint NOT NULL CHECK (sentences_remaining BETWEEN 0 AND 12),
  streak               integer NOT NULL CHECK (streak >= 0),
  tokens               smallint NOT NULL CHECK (tokens BETWEEN 0 AND 3),
  updated_at           timestamptz NOT NULL
) WITH (fillfactor = 80);
COMMENT ON TABLE learning.widget_snapshots IS 'What the home screen widgets show; a row changes only when what it shows does.';
