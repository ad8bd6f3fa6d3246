-- Messages: what people are to be told of, each written with what it is about, so that no crash loses it.

CREATE TABLE jobkit.notice (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event        text NOT NULL CHECK (event IN ('failed', 'missed', 'held', 'late', 'paused_too_long', 'blocked')),
  job          text NOT NULL,
  run          bigint,
  ticks        integer NOT NULL DEFAULT 1 CHECK (ticks >= 1),
  happened_at  timestamptz NOT NULL,
  not_before   timestamptz NOT NULL,
  CONSTRAINT what_is_about_no_run_is_about_a_job
    CHECK ((run IS NULL) = (event IN ('paused_too_long', 'blocked')))
);
COMMENT ON TABLE jobkit.notice IS
  'What nobody has been told of yet: written in the transaction of what happened, gone when a message says it.';
COMMENT ON COLUMN jobkit.notice.not_before IS
  'When it may become part of a message: later than it happened where the same was told a moment ago.';
CREATE INDEX notices_to_tell ON jobkit.notice (not_before);

CREATE TABLE jobkit.message (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event           text NOT NULL CHECK (event IN (
                    'failed', 'missed', 'held', 'late', 'paused_too_long', 'recovered', 'blocked', 'outage')),
  job             text NOT NULL,
  run             bigint,
  times           integer NOT NULL CHECK (times >= 1),
  first_at        timestamptz NOT NULL,
  last_at         timestamptz NOT NULL,
  reason          text,
  made_at         timestamptz NOT NULL,
  state           text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sending', 'told', 'given_up')),
  not_before      timestamptz NOT NULL,
  owner           text,
  epoch           integer NOT NULL DEFAULT 0 CHECK (epoch >= 0),
  tries           integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  told_channels   text[] NOT NULL DEFAULT '{}',
  error           text,
  ended_at        timestamptz,
  length_seconds  double precision,
  had_daemon      boolean,
  first_tick      timestamptz,
  last_tick       timestamptz,
  CONSTRAINT the_message_of_an_outage_says_how_long_it_was CHECK (num_nulls(
    length_seconds, had_daemon, first_tick, last_tick) = CASE event WHEN 'outage' THEN 0 ELSE 4 END),
  CONSTRAINT a_message_has_an_owner_exactly_while_it_is_sent CHECK ((state = 'sending') = (owner IS NOT NULL)),
  CONSTRAINT a_message_has_an_end_exactly_when_it_is_over
    CHECK ((ended_at IS NULL) = (state IN ('due', 'sending'))),
  CONSTRAINT what_was_not_told_says_why CHECK (state <> 'given_up' OR error IS NOT NULL)
);
COMMENT ON TABLE jobkit.message IS
  'What people are told: claimed by one daemon, sent, and recorded. A daemon that dies in between leaves it to another, under the same id.';
COMMENT ON COLUMN jobkit.message.job IS 'The job that it is about, or * when it is about all of them.';
COMMENT ON COLUMN jobkit.message.times IS 'How often it happened: a storm of failures is one message.';
COMMENT ON COLUMN jobkit.message.length_seconds IS
  'How long the outage was that it tells of, without the moments in which daemons were back and decided ticks.';
COMMENT ON COLUMN jobkit.message.had_daemon IS 'Whether no daemon was away in that outage, though nothing was decided.';
COMMENT ON COLUMN jobkit.message.first_tick IS
  'The first of the ticks that it counts; one may lie up to a minute outside of the outage.';
COMMENT ON COLUMN jobkit.message.not_before IS
  'When it is sent, or tried again; while it is being sent, when another daemon may take it over.';
COMMENT ON COLUMN jobkit.message.epoch IS 'The fence: it grows with every claim, and only the newest may record.';
COMMENT ON COLUMN jobkit.message.told_channels IS 'The channels that have taken it: what is tried again are the others.';
CREATE INDEX messages_to_tell ON jobkit.message (not_before) WHERE state IN ('due', 'sending');
CREATE INDEX messages_by_job ON jobkit.message (job, event, made_at);

CREATE TABLE jobkit.incident (
  job       text PRIMARY KEY,
  since     timestamptz NOT NULL,
  until     timestamptz NOT NULL,
  failures  integer NOT NULL CHECK (failures >= 1)
);
COMMENT ON TABLE jobkit.incident IS
  'The jobs whose failures people were told of, until they are told that it succeeded again.';
