-- The ledger: what should run, what ran, and what became of it.

CREATE TABLE jobkit.job (
  name           text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  known_since    timestamptz NOT NULL,
  decided_until  timestamptz NOT NULL,
  paused_at      timestamptz,
  paused_by      text,
  pause_reason   text,
  paused_until   timestamptz,
  repeats_until  timestamptz,
  CONSTRAINT a_pause_has_an_author CHECK ((paused_at IS NULL) = (paused_by IS NULL)),
  CONSTRAINT a_pause_has_a_reason CHECK ((paused_at IS NULL) = (pause_reason IS NULL)),
  CONSTRAINT only_a_pause_ends CHECK (paused_until IS NULL OR paused_at IS NOT NULL)
);
COMMENT ON TABLE jobkit.job IS 'One row for each job that any daemon has ever scheduled.';
COMMENT ON COLUMN jobkit.job.known_since IS 'When the job was scheduled first: its ticks begin after this instant.';
COMMENT ON COLUMN jobkit.job.decided_until IS
  'The durable cursor: every tick up to and including this instant has a row in jobkit.run.';
COMMENT ON COLUMN jobkit.job.repeats_until IS
  'Where the cursor stood before the clock was set back: a rhythm beats again up to here, each tick a microsecond later.';
COMMENT ON COLUMN jobkit.job.paused_until IS 'When the pause ends by itself; null: when somebody resumes it.';

CREATE TABLE jobkit.run (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job             text NOT NULL REFERENCES jobkit.job (name),
  scheduled_for   timestamptz NOT NULL,
  trigger         text NOT NULL CHECK (trigger IN ('schedule', 'manual', 'backfill')),
  state           text NOT NULL CHECK (state IN (
                    'due', 'held', 'running',
                    'succeeded', 'failed', 'cancelled',
                    'skipped', 'missed', 'collapsed')),
  reason          text,
  ticks           integer NOT NULL DEFAULT 1 CHECK (ticks >= 1),
  first_tick      timestamptz,
  exclusive       boolean NOT NULL DEFAULT true,
  priority        smallint NOT NULL DEFAULT 0,
  start_before    timestamptz,
  parts           integer NOT NULL DEFAULT 1 CHECK (parts >= 0),
  parts_left      integer NOT NULL DEFAULT 1 CHECK (parts_left BETWEEN 0 AND parts),
  parts_failed    integer NOT NULL DEFAULT 0 CHECK (parts_failed BETWEEN 0 AND parts),
  parts_cancelled integer NOT NULL DEFAULT 0 CHECK (parts_cancelled BETWEEN 0 AND parts),
  argument_names  text[] NOT NULL DEFAULT '{}',
  argument_values text[] NOT NULL DEFAULT '{}',
  decided_at      timestamptz NOT NULL,
  decided_by      text NOT NULL,
  started_at      timestamptz,
  finished_at     timestamptz,
  cancel_asked_at timestamptz,
  cancel_asked_by text,
  version         text,
  settings_hash   text,

  CONSTRAINT a_run_that_never_ran_says_why
    CHECK (state NOT IN ('held', 'skipped', 'missed', 'collapsed', 'cancelled') OR reason IS NOT NULL),
  CONSTRAINT a_run_has_an_end_exactly_when_it_is_over
    CHECK ((finished_at IS NULL) = (state IN ('due', 'held', 'running'))),
  CONSTRAINT a_run_has_a_start_when_it_ran
    CHECK (started_at IS NOT NULL OR state NOT IN ('running', 'succeeded')),
  CONSTRAINT what_never_ran_has_no_start
    CHECK (started_at IS NULL OR state NOT IN ('skipped', 'missed', 'collapsed')),
  CONSTRAINT what_is_over_has_no_parts_left
    CHECK (finished_at IS NULL OR parts_left = 0),
  CONSTRAINT only_collapsed_ticks_are_many
    CHECK ((state = 'collapsed') = (first_tick IS NOT NULL) AND (state = 'collapsed' OR ticks = 1)),
  CONSTRAINT every_argument_has_a_value
    CHECK (cardinality(argument_names) = cardinality(argument_values)),
  CONSTRAINT ticks_collapse_forwards CHECK (first_tick <= scheduled_for),
  CONSTRAINT a_cancellation_has_an_author
    CHECK ((cancel_asked_at IS NULL) = (cancel_asked_by IS NULL))
) WITH (fillfactor = 80);
COMMENT ON TABLE jobkit.run IS
  'One row for every tick that should have happened, whatever became of it, and one for every run by hand.';
COMMENT ON COLUMN jobkit.run.ticks IS
  'How many ticks this row stands for: more than one only when they collapsed, from first_tick to scheduled_for.';
COMMENT ON COLUMN jobkit.run.exclusive IS 'Whether no other run of the job may go on beside it.';
COMMENT ON COLUMN jobkit.run.start_before IS 'When it is too late to start; the run is then missed.';
COMMENT ON COLUMN jobkit.run.version IS 'The program that started it.';

-- One tick, one row: two believers cannot both decide it.
CREATE UNIQUE INDEX one_row_a_tick ON jobkit.run (job, scheduled_for) WHERE trigger <> 'manual';
-- No overlap, whoever claims what.
CREATE UNIQUE INDEX one_exclusive_run_a_job ON jobkit.run (job) WHERE state = 'running' AND exclusive;
CREATE INDEX open_runs ON jobkit.run (job, scheduled_for) WHERE state IN ('due', 'held', 'running');
CREATE INDEX runs_by_age ON jobkit.run (scheduled_for DESC);

CREATE TABLE jobkit.part (
  run            bigint NOT NULL REFERENCES jobkit.run (id) ON DELETE CASCADE,
  number         integer NOT NULL CHECK (number >= 0),
  job            text NOT NULL,
  state          text NOT NULL CHECK (state IN ('due', 'running', 'succeeded', 'failed', 'cancelled')),
  priority       smallint NOT NULL DEFAULT 0,
  not_before     timestamptz NOT NULL,
  epoch          integer NOT NULL DEFAULT 0 CHECK (epoch >= 0),
  daemon         text,
  lease_until    timestamptz,
  failures       integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  worker_losses  integer NOT NULL DEFAULT 0 CHECK (worker_losses >= 0),
  started_at     timestamptz,
  finished_at    timestamptz,
  cursor         text,
  done           bigint NOT NULL DEFAULT 0 CHECK (done >= 0),
  total          bigint CHECK (total >= 0),
  counter_names  text[] NOT NULL DEFAULT '{}',
  counter_values bigint[] NOT NULL DEFAULT '{}',
  error          text,
  PRIMARY KEY (run, number),

  CONSTRAINT a_part_has_a_daemon_exactly_while_it_runs
    CHECK ((state = 'running') = (daemon IS NOT NULL)),
  CONSTRAINT a_part_has_a_lease_exactly_while_it_runs
    CHECK ((state = 'running') = (lease_until IS NOT NULL)),
  CONSTRAINT a_part_has_an_end_exactly_when_it_is_over
    CHECK ((finished_at IS NULL) = (state IN ('due', 'running'))),
  CONSTRAINT every_counter_has_a_value
    CHECK (cardinality(counter_names) = cardinality(counter_values)),
  CONSTRAINT a_failed_part_says_why CHECK (state <> 'failed' OR error IS NOT NULL)
) WITH (fillfactor = 70);
COMMENT ON TABLE jobkit.part IS
  'What one worker does of a run: a small job has one part, a big one a part for each range of learners.';
COMMENT ON COLUMN jobkit.part.epoch IS
  'The fence: it grows with every claim, every later write names it, and a write with an older one is refused.';
COMMENT ON COLUMN jobkit.part.cursor IS 'Where the part goes on after a crash; written with the work itself.';
COMMENT ON COLUMN jobkit.part.failures IS 'How often it failed.';
COMMENT ON COLUMN jobkit.part.worker_losses IS
  'How often its worker was lost, which is no failure; the cap ends crash loops.';

CREATE INDEX parts_to_claim ON jobkit.part (priority DESC, not_before, run, number) WHERE state = 'due';
CREATE INDEX parts_on_lease ON jobkit.part (lease_until) WHERE state = 'running';

CREATE TABLE jobkit.daemon (
  name           text PRIMARY KEY,
  host           text NOT NULL,
  process        integer NOT NULL,
  version        text NOT NULL,
  settings_hash  text NOT NULL,
  jobs           text[] NOT NULL,
  started_at     timestamptz NOT NULL,
  seen_at        timestamptz NOT NULL,
  draining       boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE jobkit.daemon IS 'The daemons that are alive, each with the jobs that it has code for.';
