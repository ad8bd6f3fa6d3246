-- Jobs, and by which schedule their ticks were decided.

CREATE TABLE jobkit.job (
  name             text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  known_since      timestamptz NOT NULL,
  decided_until    timestamptz NOT NULL,
  paused_at        timestamptz,
  paused_by        text,
  pause_reason     text,
  paused_until     timestamptz,
  repeats_until    timestamptz,
  blocked_since    timestamptz,
  blocked_because  text,
  requests         jsonb,
  CONSTRAINT a_pause_has_an_author CHECK ((paused_at IS NULL) = (paused_by IS NULL)),
  CONSTRAINT a_pause_has_a_reason CHECK ((paused_at IS NULL) = (pause_reason IS NULL)),
  CONSTRAINT only_a_pause_ends CHECK (paused_until IS NULL OR paused_at IS NOT NULL),
  CONSTRAINT a_blocked_job_says_why CHECK ((blocked_since IS NULL) = (blocked_because IS NULL))
);
COMMENT ON TABLE jobkit.job IS 'One row for each job that any daemon has ever scheduled.';
COMMENT ON COLUMN jobkit.job.known_since IS 'When the job was scheduled first: its ticks begin after this instant.';
COMMENT ON COLUMN jobkit.job.decided_until IS
  'The durable cursor: every tick up to and including this instant has a row in jobkit.run.';
COMMENT ON COLUMN jobkit.job.repeats_until IS
  'Where the cursor stood before the clock was set back: a rhythm beats again up to here, each tick a microsecond later.';
COMMENT ON COLUMN jobkit.job.paused_until IS 'When the pause ends by itself; null: when somebody resumes it.';
COMMENT ON COLUMN jobkit.job.blocked_because IS
  'Which table or right the job lacks, as a daemon with code for it found; its ticks are skipped until it is there again.';
COMMENT ON COLUMN jobkit.job.requests IS
  'What a run is like that the app asks for, and which arguments it may have, as the daemon that read its settings last says; null: none has said so.';

CREATE TABLE jobkit.schedule (
  job       text NOT NULL REFERENCES jobkit.job (name) ON DELETE CASCADE,
  since     timestamptz NOT NULL,
  schedule  text NOT NULL,
  PRIMARY KEY (job, since)
);
COMMENT ON TABLE jobkit.schedule IS
  'Which schedule decided the ticks of a job since when: what an audit of the past expects.';

CREATE TABLE jobkit.watermark (
  job         text NOT NULL REFERENCES jobkit.job (name) ON DELETE CASCADE,
  parts       integer NOT NULL CHECK (parts >= 1),
  part        integer NOT NULL CHECK (part >= 0 AND part < parts),
  seen_until  timestamptz NOT NULL,
  seen_in     pg_snapshot NOT NULL,
  PRIMARY KEY (job, parts, part)
);
COMMENT ON TABLE jobkit.watermark IS
  'How far each part of a job that asks what is new has seen the rows of the app: written with the last chunk of the part.';
COMMENT ON COLUMN jobkit.watermark.seen_until IS 'Rows that were received up to this instant have been seen, unless they committed later.';
COMMENT ON COLUMN jobkit.watermark.seen_in IS
  'The transactions that were over when the run began: a row of any other is new, whenever it was received.';

CREATE TABLE jobkit.job_text (
  hash  text PRIMARY KEY,
  job   text NOT NULL REFERENCES jobkit.job (name) ON DELETE CASCADE,
  text  text NOT NULL
);
COMMENT ON TABLE jobkit.job_text IS
  'The texts by which the settings have described a job, as long as the ledger has a run by one of them.';
