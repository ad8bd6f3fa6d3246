-- A world that is still to come: what the app of made-up learners will write, each row at its moment.
-- Nothing here belongs to a product; a simulation moves it into the schema learning as its clock goes on.

CREATE SCHEMA demo;

CREATE TABLE demo.world (
  learners      bigint NOT NULL,
  seed          bigint NOT NULL,
  starts_at     timestamptz NOT NULL,
  begins_at     timestamptz NOT NULL,
  ends_at       timestamptz NOT NULL,
  played_until  timestamptz NOT NULL,
  is_only_row   boolean PRIMARY KEY DEFAULT true CHECK (is_only_row)
);
COMMENT ON TABLE demo.world IS 'Which world it is, and how far it has been played.';
COMMENT ON COLUMN demo.world.begins_at IS 'What reached the server by then was history when the world was made.';

CREATE TABLE demo.users (LIKE learning.users);
ALTER TABLE demo.users
  DROP COLUMN written_in, DROP COLUMN zone_before, DROP COLUMN moved_at, ADD PRIMARY KEY (user_id, changed_at);
CREATE INDEX ON demo.users (changed_at);
COMMENT ON TABLE demo.users IS 'Each learner as the account was made, and as it was after each change, past ones too.';

CREATE TABLE demo.devices (LIKE learning.devices);
ALTER TABLE demo.devices DROP COLUMN written_in;
CREATE INDEX ON demo.devices (registered_at);

CREATE TABLE demo.sessions (LIKE learning.sessions);
ALTER TABLE demo.sessions DROP COLUMN written_in;
CREATE INDEX ON demo.sessions (server_received_at);

CREATE TABLE demo.attempts (LIKE learning.attempts);
ALTER TABLE demo.attempts DROP COLUMN written_in;
CREATE INDEX ON demo.attempts (received_at);

CREATE TABLE demo.reward_pending (LIKE learning.reward_pending INCLUDING DEFAULTS);
CREATE INDEX ON demo.reward_pending (received_at);

CREATE TABLE demo.openings (
  user_id    bigint NOT NULL,
  local_day  date NOT NULL,
  opens_at   timestamptz NOT NULL,
  PRIMARY KEY (user_id, local_day)
);
CREATE INDEX ON demo.openings (opens_at);
COMMENT ON TABLE demo.openings IS 'Pushes that were sent and will be tapped.';

-- At each step of the clock it is asked who was sent something a moment ago: the product itself never asks.
CREATE INDEX pushes_by_sending ON learning.notifications (sent_at) WHERE sent_at IS NOT NULL;

CREATE TABLE demo.repairs (
  user_id     bigint NOT NULL,
  day         date NOT NULL,
  accepts_at  timestamptz NOT NULL,
  PRIMARY KEY (user_id, day)
);
CREATE INDEX ON demo.repairs (accepts_at);
COMMENT ON TABLE demo.repairs IS 'Repairs of streaks that were offered and will be accepted.';
