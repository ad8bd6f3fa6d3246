-- What the app writes: learners, their devices, what they studied, and what they are to be given for it.
--
-- Every table of learners leads its primary key with user_id, so that the schema can be distributed by it.
-- What an offline phone sends is kept as it came, even when it cannot be: the worker counts, explains and
-- quarantines it, so columns from phones have no CHECK that would lose a row. Refused is only what no server's clock
-- shows and no calendar has: one such row would stop a job for everybody, since nobody can compare it, count its days
-- or put it into an index.
--
-- Functions find PostgreSQL's own functions and operators alone: what another role has left in the path of a caller
-- could otherwise run with the rights of the caller.

-- A row that commits late may carry an instant that a job has already passed. Its transaction does not lie:
-- jobs look for rows by either.
CREATE FUNCTION learning.note_transaction() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.written_in := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END $$;
COMMENT ON FUNCTION learning.note_transaction() IS 'Keeps written_in true when a row is changed.';

CREATE TABLE learning.users (
  user_id           bigint PRIMARY KEY,
  display_name      text NOT NULL,
  zone              text NOT NULL,
  locale            text NOT NULL DEFAULT 'ko',
  status            text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'locked')),
  audience          text NOT NULL DEFAULT 'self' CHECK (audience IN ('self', 'child', 'both')),
  guardian_consent  boolean NOT NULL DEFAULT false,
  plan              text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro')),
  push_opt_in       boolean NOT NULL DEFAULT false,
  quiet_from        smallint CHECK (quiet_from BETWEEN 0 AND 1439),
  quiet_to          smallint CHECK (quiet_to BETWEEN 0 AND 1439),
  preferred_minute  smallint CHECK (preferred_minute BETWEEN 0 AND 1439),
  auto_repair       boolean NOT NULL DEFAULT false,
  created_at        timestamptz NOT NULL,
  changed_at        timestamptz NOT NULL,
  written_in        bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  zone_before       text,
  moved_at          timestamptz,
  CONSTRAINT quiet_hours_have_both_ends CHECK ((quiet_from IS NULL) = (quiet_to IS NULL)),
  CONSTRAINT who_has_moved_came_from_somewhere CHECK ((zone_before IS NULL) = (moved_at IS NULL)),
  CONSTRAINT a_learner_was_written_at_some_time CHECK (
    created_at BETWEEN '0001-01-01Z' AND '9999-12-31Z' AND changed_at BETWEEN '0001-01-01Z' AND '9999-12-31Z'),
  CONSTRAINT a_move_was_made_at_some_time CHECK (moved_at BETWEEN '0001-01-01Z' AND '9999-12-31Z')
) WITH (fillfactor = 90);
COMMENT ON TABLE learning.users IS 'One row for each learner; the app writes it, the worker reads it.';
COMMENT ON COLUMN learning.users.zone IS
  'The IANA time zone the learner lives in now, such as Asia/Seoul. One that nobody knows is quarantined.';
COMMENT ON COLUMN learning.users.locale IS 'The language of texts for the learner, such as ko, en or en-GB.';
COMMENT ON COLUMN learning.users.audience IS 'Who learns with the account: a child needs the consent of a guardian.';
COMMENT ON COLUMN learning.users.quiet_from IS
  'The minute of the local day at which the learner''s own quiet hours begin; null: the default; the same as quiet_to: none.';
COMMENT ON COLUMN learning.users.quiet_to IS 'The minute of the local day at which quiet hours are over: [quiet_from, quiet_to).';
COMMENT ON COLUMN learning.users.preferred_minute IS
  'The minute of the local day at which a learner without sessions wants to be reminded; null: the default.';
COMMENT ON COLUMN learning.users.auto_repair IS 'Whether a brain token repairs a broken streak without asking.';
COMMENT ON COLUMN learning.users.changed_at IS 'When the app changed the row, by its server''s clock.';
COMMENT ON COLUMN learning.users.written_in IS 'The transaction that wrote the row, so that one that commits late is not overlooked.';
COMMENT ON COLUMN learning.users.zone_before IS
  'The zone before the latest move, or where several moves within two days of each other began; null: the zone has never changed. Kept by a trigger, not by the app.';
COMMENT ON COLUMN learning.users.moved_at IS
  'The changed_at with which the zone changed last.';
CREATE INDEX users_changed ON learning.users (changed_at);
-- Not of ranges, as where rows stay in the order in which they were written: a learner whose row the app has just changed
-- may stand anywhere among the others.
CREATE INDEX users_written ON learning.users (written_in);
-- Whose local day it is that begins.
CREATE INDEX users_by_zone ON learning.users (zone);
CREATE TRIGGER users_note_transaction BEFORE UPDATE ON learning.users
  FOR EACH ROW EXECUTE FUNCTION learning.note_transaction();

-- Who flies east finds a day of the calendar gone, and neither of the two calendars has missed it. To tell, a job has to
-- know where the learner lived before and when that ended; the app writes the zone, and this notes what it was.
CREATE FUNCTION learning.note_move() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- A layover is no home, nor is a zone that was set by mistake.
  NEW.zone_before := CASE WHEN OLD.moved_at > NEW.changed_at - interval '48 hours' THEN OLD.zone_before
    ELSE OLD.zone END;
  NEW.moved_at := NEW.changed_at;
  RETURN NEW;
END $$;
COMMENT ON FUNCTION learning.note_move() IS 'Keeps zone_before and moved_at true when a learner''s zone changes.';
CREATE TRIGGER users_note_move BEFORE UPDATE OF zone ON learning.users
  FOR EACH ROW WHEN (OLD.zone IS DISTINCT FROM NEW.zone) EXECUTE FUNCTION learning.note_move();

CREATE TABLE learning.devices (
  user_id         bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  device_id       bigint NOT NULL,
  provider        text NOT NULL CHECK (provider IN ('apns', 'fcm', 'webhook')),
  environment     text NOT NULL DEFAULT 'production' CHECK (environment IN ('production', 'sandbox')),
  token           text NOT NULL CHECK (token <> ''),
  registered_at   timestamptz NOT NULL,
  invalidated_at  timestamptz,
  invalid_reason  text,
  written_in      bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  PRIMARY KEY (user_id, device_id),
  CONSTRAINT a_dead_device_has_a_reason CHECK ((invalidated_at IS NULL) = (invalid_reason IS NULL)),
  CONSTRAINT a_device_was_registered_at_some_time CHECK (registered_at BETWEEN '0001-01-01Z' AND '9999-12-31Z')
);
COMMENT ON TABLE learning.devices IS
  'Where pushes go. The app registers, the worker invalidates what a provider refuses for good.';
COMMENT ON COLUMN learning.devices.token IS 'The address at the provider: a secret, whoever has it can push.';
CREATE INDEX devices_registered ON learning.devices (registered_at);
CREATE INDEX devices_written ON learning.devices (written_in);
CREATE INDEX devices_dead ON learning.devices (invalidated_at) WHERE invalidated_at IS NOT NULL;
CREATE TRIGGER devices_note_transaction BEFORE UPDATE ON learning.devices
  FOR EACH ROW EXECUTE FUNCTION learning.note_transaction();

CREATE TABLE learning.sessions (
  user_id             bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  session_id          bigint NOT NULL,
  idempotency_key     uuid NOT NULL,
  category            text NOT NULL,
  started_at          timestamptz NOT NULL,
  ended_at            timestamptz NOT NULL,
  completed           boolean NOT NULL,
  local_day           date NOT NULL,
  sentences           smallint NOT NULL DEFAULT 0 CHECK (sentences >= 0),
  accuracy            real NOT NULL CHECK (accuracy BETWEEN 0 AND 1),
  first_try_rate      real NOT NULL CHECK (first_try_rate BETWEEN 0 AND 1),
  hint_rate           real NOT NULL CHECK (hint_rate BETWEEN 0 AND 1),
  score               integer NOT NULL CHECK (score >= 0),
  source              text NOT NULL CHECK (source IN ('online', 'offline')),
  server_received_at  timestamptz NOT NULL,
  written_in          bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  PRIMARY KEY (user_id, session_id),
  CONSTRAINT a_session_arrives_once UNIQUE (user_id, idempotency_key),
  CONSTRAINT a_session_arrived_at_some_time CHECK (
    server_received_at BETWEEN '0001-01-01Z' AND '9999-12-31Z'),
  CONSTRAINT a_session_has_a_day CHECK (isfinite(local_day)),
  CONSTRAINT a_category_is_a_name CHECK (octet_length(category) <= 200)
);
COMMENT ON TABLE learning.sessions IS 'One row for each study session, complete or not, in whatever order they arrive.';
COMMENT ON COLUMN learning.sessions.category IS 'What was studied, such as people, countries or music: each has a leaderboard.';
COMMENT ON COLUMN learning.sessions.ended_at IS 'By the phone''s clock, which may be up to ten minutes ahead of the server''s.';
COMMENT ON COLUMN learning.sessions.local_day IS
  'The calendar date of ended_at in the zone that was the learner''s then: a day does not move when the learner does.';
COMMENT ON COLUMN learning.sessions.sentences IS 'How many sentences were finished, of the twelve of a day.';
COMMENT ON COLUMN learning.sessions.server_received_at IS 'When it reached the server: later than ended_at by hours for what was done offline.';
COMMENT ON COLUMN learning.sessions.written_in IS 'The transaction that wrote the row, so that one that commits late is not overlooked.';
CREATE TRIGGER sessions_note_transaction BEFORE UPDATE ON learning.sessions
  FOR EACH ROW EXECUTE FUNCTION learning.note_transaction();
CREATE INDEX completed_sessions ON learning.sessions (user_id, ended_at DESC)
  INCLUDE (local_day, server_received_at, started_at) WHERE completed;
CREATE INDEX sessions_received ON learning.sessions (server_received_at);
CREATE INDEX sessions_written ON learning.sessions USING brin (written_in) WITH (autosummarize = on);
-- The few sessions that cannot be: jobs put them aside, and find them without looking at all others. The condition is the
-- opposite of what the jobs take for a session that can be.
CREATE INDEX sessions_impossible ON learning.sessions (user_id) WHERE NOT (
  started_at <= ended_at
  AND (ended_at <= server_received_at
    OR ended_at AT TIME ZONE 'UTC' <= (server_received_at AT TIME ZONE 'UTC') + interval '10 minutes')
  AND local_day BETWEEN greatest((ended_at AT TIME ZONE 'UTC')::date, '4714-11-25 BC') - 1
    AND (ended_at AT TIME ZONE 'UTC')::date + 1);

CREATE TABLE learning.patterns (
  pattern_id    integer PRIMARY KEY,
  code          text NOT NULL UNIQUE CHECK (code ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  content_type  text NOT NULL DEFAULT 'grammar',
  name_ko       text NOT NULL,
  name_en       text NOT NULL
);
COMMENT ON TABLE learning.patterns IS 'The grammar patterns that items train.';
COMMENT ON COLUMN learning.patterns.content_type IS 'Chooses the strategy of reviews in the settings.';

CREATE TABLE learning.attempts (
  user_id      bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  attempt_id   bigint NOT NULL,
  pattern_id   integer NOT NULL REFERENCES learning.patterns,
  correct      boolean NOT NULL,
  hint_used    boolean NOT NULL,
  first_try    boolean NOT NULL,
  answered_at  timestamptz NOT NULL,
  received_at  timestamptz NOT NULL,
  written_in   bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  -- The key is also the index that the latest answers of a learner to a pattern are read from.
  PRIMARY KEY (user_id, pattern_id, answered_at, attempt_id)
    INCLUDE (correct, hint_used, first_try, received_at),
  CONSTRAINT an_attempt_was_answered_at_some_time CHECK (isfinite(answered_at)),
  CONSTRAINT an_attempt_arrived_at_some_time CHECK (received_at BETWEEN '0001-01-01Z' AND '9999-12-31Z')
);
COMMENT ON TABLE learning.attempts IS 'One row for each item that a learner has answered.';
COMMENT ON COLUMN learning.attempts.answered_at IS 'By the phone''s clock, which may be up to ten minutes ahead of the server''s.';
COMMENT ON COLUMN learning.attempts.received_at IS 'When it reached the server; answered_at is by the phone''s clock.';
CREATE TRIGGER attempts_note_transaction BEFORE UPDATE ON learning.attempts
  FOR EACH ROW EXECUTE FUNCTION learning.note_transaction();
CREATE INDEX attempts_received ON learning.attempts (received_at);
CREATE INDEX attempts_written ON learning.attempts USING brin (written_in) WITH (autosummarize = on);
CREATE INDEX attempts_impossible ON learning.attempts (user_id) WHERE NOT (
  answered_at <= received_at
  OR answered_at AT TIME ZONE 'UTC' <= (received_at AT TIME ZONE 'UTC') + interval '10 minutes');

CREATE TABLE learning.reward_pending (
  user_id          bigint NOT NULL REFERENCES learning.users ON DELETE CASCADE,
  queue_id         bigint NOT NULL,
  idempotency_key  text NOT NULL CHECK (idempotency_key <> ''),
  kind             text NOT NULL,
  amount           integer NOT NULL,
  session_id       bigint,
  server_clock     timestamptz NOT NULL,
  received_at      timestamptz NOT NULL,
  state            text NOT NULL DEFAULT 'pending'
                     CHECK (state IN ('pending', 'settled', 'rejected', 'duplicate')),
  reason           text,
  settled_at       timestamptz,
  PRIMARY KEY (user_id, queue_id),
  CONSTRAINT a_rejected_reward_says_why CHECK ((reason IS NOT NULL) = (state IN ('rejected', 'duplicate'))),
  CONSTRAINT what_is_over_has_an_end CHECK ((settled_at IS NULL) = (state = 'pending')),
  CONSTRAINT a_reward_arrived_at_some_time CHECK (received_at BETWEEN '0001-01-01Z' AND '9999-12-31Z')
) WITH (fillfactor = 80);
COMMENT ON TABLE learning.reward_pending IS
  'Rewards in the order in which a learner earned them; the worker settles each idempotency_key once.';
COMMENT ON COLUMN learning.reward_pending.kind IS 'session_completed or bonus; another kind is rejected, and says so.';
COMMENT ON COLUMN learning.reward_pending.amount IS 'The points that it is worth.';
COMMENT ON COLUMN learning.reward_pending.session_id IS 'The session that earned it; a bonus has none.';
COMMENT ON COLUMN learning.reward_pending.server_clock IS
  'What the server''s clock showed when the app last saw it before the reward was earned: it decides, not the phone''s.';
CREATE INDEX rewards_to_settle ON learning.reward_pending (user_id, queue_id) WHERE state = 'pending';
CREATE INDEX rewards_by_key ON learning.reward_pending (user_id, idempotency_key, queue_id);
