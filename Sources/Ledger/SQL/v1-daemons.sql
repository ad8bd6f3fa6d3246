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
  is_only       boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  seen_at       timestamptz NOT NULL,
  absent_from   timestamptz,
  absent_until  timestamptz,
  told_until    timestamptz,
  CONSTRAINT an_absence_has_both_ends CHECK ((absent_from IS NULL) = (absent_until IS NULL))
);
COMMENT ON TABLE jobkit.presence IS
  'One row: when any daemon was seen last, and the latest time in which none was, from when until when.';
COMMENT ON COLUMN jobkit.presence.told_until IS
  'The end of the absence of which a message was made: each is told once.';
