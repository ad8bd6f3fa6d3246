-- The entries of a new version stand beside each other in both indexes, at the end of the first: before, each
-- went to its board's and its learner's others, so that a refresh wrote to every page of indexes of all versions.

ALTER TABLE learning.leaderboard_entries
  DROP CONSTRAINT leaderboard_entries_pkey,
  ADD CONSTRAINT leaderboard_entries_pkey PRIMARY KEY (version, board, category, place);

-- A learner is on a few boards of a version: to tell these apart costs less than to order all by two texts.
DROP INDEX learning.entries_of_learner;
CREATE INDEX entries_of_learner ON learning.leaderboard_entries (version, user_id) INCLUDE (board, category, place);
