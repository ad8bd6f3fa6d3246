-- The truth about time without a daemon: when one was there last, and when none was, so that people are told of an
-- outage once, with its beginning and its end. And what keeps a job from running at all, a table that is missing or a
-- right, as the daemons find it.

CREATE TABLE jobkit.presence (
  is_only       boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  seen_at       timestamptz NOT NULL,
  absent_from   timestamptz,
  absent_until  timestamptz,
  told_until    timestamptz,
  CONSTRAINT an_absence_has_both_ends CHECK ((absent_from IS NULL) = (absent_until IS NULL))
);
-- After an upgrade the daemons that were there before count, too.
INSERT INTO jobkit.presence (seen_at)
  SELECT max(seen_at) FROM jobkit.daemon WHERE NOT by_hand HAVING count(*) > 0;
COMMENT ON TABLE jobkit.presence IS
  'One row: when any daemon was seen last, and the latest time in which none was, from when until when.';

COMMENT ON COLUMN jobkit.presence.told_until IS
  'The end of the absence of which a message was made: each is told once.';

ALTER TABLE jobkit.job
  ADD COLUMN blocked_since   timestamptz,
  ADD COLUMN blocked_because text,
  ADD CONSTRAINT a_blocked_job_says_why CHECK ((blocked_since IS NULL) = (blocked_because IS NULL));
COMMENT ON COLUMN jobkit.job.blocked_because IS
  'Which table or right the job lacks, as a daemon with code for it found; its ticks are skipped until it is there again.';

ALTER TABLE jobkit.notice
  DROP CONSTRAINT notice_event_check,
  DROP CONSTRAINT only_a_pause_is_about_no_run,
  ADD CONSTRAINT notice_event_check
    CHECK (event IN ('failed', 'missed', 'held', 'late', 'paused_too_long', 'blocked')),
  ADD CONSTRAINT what_is_about_no_run_is_about_a_job
    CHECK ((run IS NULL) = (event IN ('paused_too_long', 'blocked')));

ALTER TABLE jobkit.message
  DROP CONSTRAINT message_event_check,
  ADD CONSTRAINT message_event_check CHECK (event IN (
    'failed', 'missed', 'held', 'late', 'paused_too_long', 'recovered', 'blocked', 'outage'));
COMMENT ON COLUMN jobkit.message.job IS 'The job that it is about, or * when it is about all of them.';
