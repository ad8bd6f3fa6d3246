-- Daemons: which are alive, and when none was.

CREATE TABLE jobkit.daemon (
  name            text PRIMARY KEY,
  host            text NOT NULL,
  process         integer NOT NULL,
  version         text NOT NULL,
  settings_hash   text NOT NULL,
  jobs            text[] NOT NULL,
  started_at      timestamptz NOT NULL,
  seen_at         timestamptz NOT NULL,
  draining        boolean NOT NULL DEFAULT false,
  ready_at        timestamptz,
  by_hand         boolean NOT NULL DEFAULT false,
  drain_asked_at  timestamptz,
  drain_asked_by  text,
  schemas         jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT a_drain_has_an_author CHECK ((drain_asked_at IS NULL) = (drain_asked_by IS NULL))
);
COMMENT ON TABLE jobkit.daemon IS 'The daemons that are alive, each with the jobs that it has code for.';
COMMENT ON COLUMN jobkit.daemon.ready_at IS
  'When it was seen to have decided all that was due: from then on others may leave.';
COMMENT ON COLUMN jobkit.daemon.by_hand IS 'Whether it is one run by hand, which decides nothing and ends with its run.';
COMMENT ON COLUMN jobkit.daemon.drain_asked_at IS
  'When it was asked to stop at its next chunks and end; it hears of it with its next look at the ledger.';
COMMENT ON COLUMN jobkit.daemon.schemas IS
  'The newest version of each schema that its program knows, by the schema''s name: no migration takes away what one that is alive still uses.';

CREATE TABLE jobkit.presence (
  is_only  boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  seen_at  timestamptz NOT NULL
);
COMMENT ON TABLE jobkit.presence IS 'One row: when any daemon was seen last.';

CREATE TABLE jobkit.outage (
  id                   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  began_at             timestamptz NOT NULL,
  back_at              timestamptz NOT NULL,
  ended_at             timestamptz NOT NULL,
  told_at              timestamptz,
  interrupted_seconds  double precision NOT NULL DEFAULT 0,
  had_daemon           boolean NOT NULL DEFAULT false,
  CONSTRAINT an_outage_begins_before_it_ends CHECK (began_at < back_at AND back_at <= ended_at),
  CONSTRAINT an_outage_is_interrupted_for_a_share_of_it CHECK (
    interrupted_seconds >= 0 AND interrupted_seconds <= extract(epoch FROM ended_at - began_at))
);
COMMENT ON TABLE jobkit.outage IS
  'The times in which no daemon was seen and nothing was decided, from when until when.';
COMMENT ON COLUMN jobkit.outage.back_at IS
  'When a daemon was first back: one that was there for a moment only, as in a crash loop, did not end the outage.';
COMMENT ON COLUMN jobkit.outage.told_at IS 'When a message was made of it: each is told once.';
COMMENT ON COLUMN jobkit.outage.interrupted_seconds IS
  'For how long of it daemons were back for a moment and decided ticks.';
COMMENT ON COLUMN jobkit.outage.had_daemon IS
  'Whether the daemon that ended it had been there before it began: no daemon was away, it was stopped, or cut off from the database.';
