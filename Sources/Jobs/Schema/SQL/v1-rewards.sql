-- Rewards that are settled, and what they come to.

CREATE TABLE learning.reward_entries (
  user_id          bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  idempotency_key  text NOT NULL,
  queue_id         bigint NOT NULL,
  kind             text NOT NULL,
  score            integer NOT NULL,
  xp               integer NOT NULL,
  at               timestamptz NOT NULL,
  PRIMARY KEY (user_id, idempotency_key)
);
COMMENT ON TABLE learning.reward_entries IS 'The ledger of settled rewards: its key is what keeps one from being settled twice.';

CREATE TABLE learning.balances (
  user_id  bigint PRIMARY KEY REFERENCES learning.users ON DELETE CASCADE,
  score    bigint NOT NULL CHECK (score >= 0),
  xp       bigint NOT NULL CHECK (xp >= 0)
) WITH (fillfactor = 80);
COMMENT ON TABLE learning.balances IS 'What a learner has in all: always the sum of the reward entries.';
